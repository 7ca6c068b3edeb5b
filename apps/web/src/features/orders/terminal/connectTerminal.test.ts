import { encodeJson } from '@rackfair/protocol/frames'
import type { Workspace } from '@rackfair/sdk/workspace'
import { expect, test, vi } from 'vitest'
import { connectTerminal } from './connectTerminal.ts'

test('buffers no more unsent input than a person types', async () => {
  const leaving = Promise.withResolvers<void>()
  async function* incoming() {
    yield encodeJson({ session: '0'.repeat(32), resumed: false })
    await leaving.promise
  }
  const taken: (() => void)[] = []
  const write = vi.fn(() => new Promise<void>((resolve) => taken.push(resolve)))
  const workspace = { open: async () => ({ incoming: incoming(), write, cancel: leaving.resolve }) } as unknown as Workspace
  const opened = Promise.withResolvers<unknown>()
  const events = { onOpened: opened.resolve, onBytes: async () => undefined, onLost: vi.fn(), onClosed: vi.fn() }
  const terminal = connectTerminal(workspace, { session: undefined, size: { columns: 80, rows: 24 }, events })
  await opened.promise

  const reply = new TextEncoder().encode('\x1b[1;1R')
  for (let asked = 0; asked < 10_000; asked += 1) terminal.type(reply)
  expect(write).toHaveBeenCalledTimes(4096)
  for (const take of taken.splice(0)) take()
  await Promise.resolve()
  terminal.type(reply)
  expect(write).toHaveBeenCalledTimes(4097)
  terminal.leave()
})
