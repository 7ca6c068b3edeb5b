import { encodeFrame, FRAME } from '@rackfair/protocol/frames'
import { encodeLogBatch, type LogLine } from '@rackfair/protocol/logLines'
import type { Workspace } from '@rackfair/sdk/workspace'
import { afterEach, expect, test, vi } from 'vitest'
import { downloadLog } from './downloadLog.ts'

const { createObjectURL, revokeObjectURL } = URL
afterEach(() => Object.assign(URL, { createObjectURL, revokeObjectURL }))

/** Downloads from a machine that sends these lines in each of so many frames. */
function download(lines: readonly (Pick<LogLine, 'bytes'> & Partial<LogLine>)[], frames: number, services?: readonly string[]) {
  const batch = lines.map((line) => ({ time: 1, source: 'stdout' as const, more: false, cut: false, gap: false, ...line }))
  async function* incoming() {
    const frame = encodeFrame(FRAME.logBatch, encodeLogBatch({ cursor: '0.0.0.0', lines: batch }))
    for (let sent = 0; sent < frames; sent += 1) yield frame
  }
  const saved: Blob[] = []
  const createObjectURL = (blob: Blob) => {
    saved.push(blob)
    return '#'
  }
  Object.assign(URL, { createObjectURL, revokeObjectURL: () => undefined })
  const cancel = vi.fn()
  const closed = new Promise<void>(() => {})
  const workspace = { open: async () => ({ incoming: incoming(), cancel, closed }) } as unknown as Workspace
  return { done: downloadLog(workspace, '12', services), saved, cancel }
}

const bytes = (text: string) => new TextEncoder().encode(text)

test('saves a log as it was written', async () => {
  const { done, saved } = download([{ bytes: bytes('a long '), more: true }, { bytes: bytes('line') }, { bytes: bytes('') }], 2)
  await done
  expect(await saved[0]?.text()).toBe('a long line\n\na long line\n\n')
})

test('saves the lines of several services behind their names', async () => {
  const { done, saved } = download(
    [{ bytes: bytes('a long '), more: true }, { bytes: bytes('line') }, { bytes: bytes('next') }],
    1,
    ['web'],
  )
  await done
  expect(await saved.at(-1)?.text()).toBe('web | a long line\nweb | next\n')
})

test('cancels an endless log, and saves nothing', async () => {
  const { done, saved, cancel } = download([{ bytes: new Uint8Array(250_000) }], Number.POSITIVE_INFINITY)
  await expect(done).rejects.toMatchObject({ code: 'payload_too_large' })
  expect(cancel).toHaveBeenCalled()
  expect(saved).toEqual([])
})
