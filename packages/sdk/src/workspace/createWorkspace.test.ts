import { AppError } from '@rackfair/core'
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

test('the keys of an order are read however their bytes arrive', async () => {
  const { workspace } = answering(inBytes(JSON.stringify([{ ...KEY, key: 'schlüssel' }])))
  expect(await workspace.keys()).toEqual([{ ...KEY, key: 'schlüssel' }])
  workspace.close()
})

test('an agent whose list of keys never ends is left', async () => {
  const { workspace, cancel } = answering(endless())
  await expect(workspace.keys()).rejects.toMatchObject({ code: 'answer_malformed', facts: { field: 'keys' } })
  expect(cancel).toHaveBeenCalled()
  workspace.close()
})

test.each(['', 'no JSON', '{"keys":[]}', '\xff'])('keys that are %j are refused', async (text) => {
  const { workspace } = answering(inBytes(text))
  await expect(workspace.keys()).rejects.toMatchObject({ code: 'answer_malformed', facts: { field: 'keys' } })
  workspace.close()
})

test('a stream whose bytes are refused is closed', async () => {
  const { workspace, cancel } = answering(endless())
  const refused = new AppError('bad_request', 'malformed')
  const onBytes = () => Promise.reject(refused)
  const { signal } = new AbortController()
  await expect(workspace.follow({ kind: 'logs', request: () => ({}), onBytes, signal })).rejects.toBe(refused)
  expect(cancel).toHaveBeenCalled()
  workspace.close()
})
