import { encodeFrame, encodeJson, FRAME } from '@rackfair/protocol/frames'
import type { Workspace } from '@rackfair/sdk/workspace'
import { StreamError } from '@rackfair/sealed'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Transfers } from './Transfers.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const destination = {
  begin: async () => ({ write: async () => undefined, close: async () => undefined }),
  cancel: async () => undefined,
}
const interrupted = new StreamError('stream_interrupted', 'the agent ended')

/** Downloads over a connection whose try `n` sends so many bytes and breaks, with `undefined` before its first word. */
async function downloadOver(bytesOf: (attempt: number) => number | undefined, seconds = 600) {
  let tries = 0
  const open = async () => {
    tries += 1
    const bytes = bytesOf(tries)
    if (bytes === undefined) throw interrupted
    async function* incoming() {
      yield encodeJson({ type: 'tar' })
      if (bytes) yield encodeFrame(FRAME.bytes, new Uint8Array(bytes))
      throw interrupted
    }
    return { incoming: incoming(), closed: Promise.resolve(), cancel: () => undefined }
  }
  const transfers = new Transfers({ open } as unknown as Workspace)
  void transfers.download('/d', destination)
  await vi.advanceTimersByTimeAsync(seconds * 1000)
  return { tries, transfer: transfers.read()[0] }
}

test.each([
  ['its beginning', () => 0],
  ['the same byte', () => 5000],
  ['an earlier byte than before', (attempt: number) => 5000 - attempt],
])('gives a download up that breaks at %s again and again', async (_, bytesOf) => {
  const { tries, transfer } = await downloadOver(bytesOf)
  expect(tries).toBe(5)
  expect(transfer).toMatchObject({ state: 'failed', error: { code: 'stream_interrupted' } })
})

test('keeps trying a download that gets further, or whose connection is down', async () => {
  expect((await downloadOver((attempt) => attempt * 1000)).tries).toBeGreaterThan(50)
  const { tries, transfer } = await downloadOver(() => undefined)
  expect(tries).toBeGreaterThan(50)
  expect(transfer?.state).toBe('lost')
})

test('tells how far a transfer is that was fast and then stands still', async () => {
  async function* incoming() {
    yield encodeJson({ type: 'file', size: 9000 })
    for (const bytes of [3000, 2000]) yield encodeFrame(FRAME.bytes, new Uint8Array(bytes))
    await new Promise(() => undefined)
  }
  const open = async () => ({ incoming: incoming(), closed: Promise.resolve(), cancel: () => undefined })
  const transfers = new Transfers({ open } as unknown as Workspace)
  const told: unknown[] = []
  transfers.subscribe(() => told.push(transfers.read()[0]?.bytes))
  void transfers.download('/d', destination)
  await vi.advanceTimersByTimeAsync(1000)
  expect(transfers.read()[0]).toMatchObject({ state: 'running', bytes: 5000, size: 9000 })
  expect(told.filter(Boolean), 'one change for both pieces').toEqual([5000])
})

test('sends no file whose name is too long, and says so', async () => {
  const open = vi.fn()
  const transfers = new Transfers({ open } as unknown as Workspace)
  expect(await transfers.upload(`/data/${'ü'.repeat(140)}`, new Blob(['x']))).toBe(false)
  expect(transfers.read()[0]).toMatchObject({ state: 'failed', error: { code: 'name_too_long' } })
  expect(open).not.toHaveBeenCalled()
})
