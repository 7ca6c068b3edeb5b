import { expect, it } from 'vitest'
import { MAX_PIECE_BYTES, type PodLogPiece, splitPodLog } from './splitPodLog.ts'

const TIME = '2026-11-23T09:00:00.000000001Z'

async function* inChunks(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function pieces(bytes: Buffer, size: number): Promise<PodLogPiece[]> {
  const found: PodLogPiece[] = []
  for await (const { bytes: piece, ...rest } of splitPodLog(inChunks(bytes, size)))
    found.push({ ...rest, bytes: Buffer.from(piece) })
  return found
}

it.each([1, 7, 4096])('reads lines in chunks of %d bytes, unchanged', async (size) => {
  const binary = Buffer.from([0xff, 0x00, 0x1b, 0xc3])
  const log = Buffer.concat([Buffer.from(`${TIME} `), binary, Buffer.from(`\n${TIME} \n${TIME} two words\n${TIME} unfinished`)])
  expect(await pieces(log, size)).toEqual([
    { time: TIME, bytes: binary, ends: true },
    { time: TIME, bytes: Buffer.alloc(0), ends: true },
    { time: TIME, bytes: Buffer.from('two words'), ends: true },
    { time: TIME, bytes: Buffer.from('unfinished'), ends: true },
  ])
})

it('passes on an endless line in pieces, and buffers no more than one', async () => {
  const long = Buffer.alloc(3 * MAX_PIECE_BYTES + 5, 'x')
  const found = await pieces(Buffer.concat([Buffer.from(`${TIME} `), long, Buffer.from(`\n${TIME} after\n`)]), 10_000)
  expect(found.map(({ bytes, ends }) => [bytes.length, ends])).toEqual([
    ...Array.from({ length: 3 }, () => [MAX_PIECE_BYTES, false]),
    [5, true],
    [5, true],
  ])
  expect(new Set(found.map(({ time }) => time))).toEqual(new Set([TIME]))
})

it('drops what has no timestamp, however long it is', async () => {
  const found = await pieces(Buffer.from(`${'y'.repeat(5 * MAX_PIECE_BYTES)}\nshort\n${TIME} after\n`), 4096)
  expect(found.map(({ bytes }) => bytes.toString())).toEqual(['after'])
})
