import { expect, test } from 'vitest'
import { exec } from './exec.ts'
import type { Workspace, WorkspaceStream } from './Workspace.ts'

test('ends a command that is aborted while its stream opens', async () => {
  const opening = Promise.withResolvers<WorkspaceStream>()
  const ended = Promise.withResolvers<void>()
  const silent = { [Symbol.asyncIterator]: () => ({ next: () => ended.promise.then(() => ({ done: true, value: undefined })) }) }
  const stream = { incoming: silent, closed: ended.promise, end() {}, cancel: () => ended.resolve() }
  const workspace = { open: () => opening.promise } as unknown as Workspace
  const ending = new AbortController()
  const running = exec(workspace, ['sleep', '1000'], { signal: ending.signal })
  ending.abort()
  opening.resolve(stream as unknown as WorkspaceStream)
  await expect(running).rejects.toMatchObject({ name: 'AbortError' })
  await ended.promise
})
