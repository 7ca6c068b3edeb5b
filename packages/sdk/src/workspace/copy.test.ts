import { encodeJson } from '@rackfair/protocol/frames'
import { expect, test, vi } from 'vitest'
import { listFiles } from './copy.ts'
import type { Workspace, WorkspaceStream } from './Workspace.ts'

const entries = Array.from({ length: 2000 }, (_, index) => ({ name: `file ${index}`, type: 'file', size: index, modified: 1 }))

function answering(incoming: AsyncIterable<Uint8Array>) {
  const cancel = vi.fn()
  const stream = { incoming, cancel, closed: Promise.resolve() } as unknown as WorkspaceStream
  return { workspace: { open: async () => stream } as unknown as Workspace, cancel }
}

async function* repeated(times: number) {
  const frame = encodeJson({ entries })
  for (let time = 0; time < times; time += 1) yield frame
}

test('lists a folder from all its messages', async () => {
  const { workspace } = answering(repeated(3))
  expect(await listFiles(workspace, '/data')).toEqual([...entries, ...entries, ...entries])
})

test('cancels an endless listing', async () => {
  const { workspace, cancel } = answering(repeated(Number.POSITIVE_INFINITY))
  await expect(listFiles(workspace, '/data')).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(cancel).toHaveBeenCalled()
})
