import { AppError } from '@rackfair/rules/errors/AppError'
import type { MuxStream, Session } from '@rackfair/sealed'
import { expect, test, vi } from 'vitest'
import { createWorkspace } from './createWorkspace.ts'

const KEY = { key: 'abc', issuedAt: 1, expiresAt: 2, usedAt: 1, revokedAt: null, own: true }

/** A workspace whose agent answers a stream with these bytes. */
function answering(incoming: AsyncIterable<Uint8Array>) {
  const cancel = vi.fn()
  const stream = { incoming, cancel, closed: Promise.resolve() } as unknown as MuxStream
  const session = { open: () => stream, end: async () => undefined } as unknown as Session
  return { workspace: createWorkspace(async () => session), cancel }
}

async function* inBytes(text: string) {
  for (const byte of new TextEncoder().encode(text)) yield Uint8Array.of(byte)
}

async function* endless() {
  for (;;) yield new Uint8Array(16 * 1024).fill(0x20)
}

test('reads the keys of an order whatever the chunk boundaries', async () => {
  const { workspace } = answering(inBytes(JSON.stringify([{ ...KEY, key: 'schlüssel' }])))
  expect(await workspace.keys()).toEqual([{ ...KEY, key: 'schlüssel' }])
  workspace.close()
})

test('cancels an endless list of keys', async () => {
  const { workspace, cancel } = answering(endless())
  await expect(workspace.keys()).rejects.toMatchObject({ code: 'answer_malformed', facts: { field: 'keys' } })
  expect(cancel).toHaveBeenCalled()
  workspace.close()
})

test.each(['', 'no JSON', '{"keys":[]}', '\xff'])('refuses %j as keys', async (text) => {
  const { workspace } = answering(inBytes(text))
  await expect(workspace.keys()).rejects.toMatchObject({ code: 'answer_malformed', facts: { field: 'keys' } })
  workspace.close()
})

test('closes a stream whose bytes are refused', async () => {
  const { workspace, cancel } = answering(endless())
  const refused = new AppError('bad_request', 'malformed')
  const onBytes = () => Promise.reject(refused)
  const { signal } = new AbortController()
  await expect(workspace.follow({ kind: 'logs', request: () => ({}), onBytes, signal })).rejects.toBe(refused)
  expect(cancel).toHaveBeenCalled()
  workspace.close()
})
