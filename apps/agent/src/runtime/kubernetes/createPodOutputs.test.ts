import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { PlacedLine } from '../output/LogSource.ts'
import { listSegments, segmentFile } from '../output/segments.ts'
import { createPodOutputs } from './createPodOutputs.ts'
import { MAX_PIECE_BYTES } from './splitPodLog.ts'

const ORDER = 7n
const at = (second: number) => `2026-11-23T09:00:0${second}.000000000Z`
const LONG = { timeout: 120_000, interval: 50 }

/** An API server that answers a pod's log in parts, and an order's output after each. */
async function setup(answers: ((answer: ServerResponse) => void)[]) {
  const paths: string[] = []
  const server = createServer((asked, answer) => {
    paths.push(asked.url ?? '')
    answers[paths.length - 1]?.(answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-pod-outputs-'))
  const follow = async (path: string, signal: AbortSignal) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(`http://127.0.0.1:${port}${path}`, { signal }, resolve).once('error', reject)
    })
  const outputs = createPodOutputs({ follow }, folder)
  onTestFinished(() => {
    outputs.close()
    server.close()
    server.closeAllConnections()
    rmSync(folder, { recursive: true, force: true })
  })
  const lines = async () => {
    const source = outputs.source(ORDER)
    const reader = source.open(await source.before(undefined))
    const found: PlacedLine[] = []
    for (let more = await reader.read(); more.length > 0 || !reader.atEnd; more = await reader.read()) found.push(...more)
    await reader.close()
    return found.map(({ bytes }) => bytes.toString())
  }
  return { outputs, lines, paths, folder: join(folder, String(ORDER)) }
}

it('resumes after a lost connection without a gap or a repetition', async () => {
  const { outputs, lines, paths } = await setup([
    (answer) => {
      answer.write(`${at(1)} one\n${at(2)} two\n${at(3)} thr`)
      void wait(50).then(() => answer.destroy())
    },
    (answer) => answer.end(`${at(2)} two\n${at(3)} three\n`),
  ])
  outputs.follow(ORDER, 'ns', 'first')
  await vi.waitFor(async () => expect(await lines()).toEqual(['one', 'two', 'three']), LONG)
  expect(paths[1]).toContain(`sinceTime=${encodeURIComponent(at(2))}`)
})

it('keeps a line longer than its buffer in pieces, once each, even if the connection breaks within it', async () => {
  const long = Buffer.alloc(5 * MAX_PIECE_BYTES + 5, 'ab')
  const { outputs, lines, folder } = await setup([
    (answer) => {
      answer.write(`${at(1)} `)
      answer.write(long.subarray(0, 3 * MAX_PIECE_BYTES))
      void wait(300).then(() => answer.destroy())
    },
    (answer) => answer.end(Buffer.concat([Buffer.from(`${at(1)} `), long, Buffer.from(`\n${at(2)} after\n`)])),
  ])
  outputs.follow(ORDER, 'ns', 'first')
  await vi.waitFor(async () => expect((await lines()).at(-1)).toBe('after'), LONG)
  const records = listSegments(folder).flatMap((segment) => readFileSync(segmentFile(folder, segment), 'latin1').split('\n'))
  const pieces = records.flatMap((record) => (record.startsWith(at(1)) ? [record.slice(at(1).length)] : []))
  expect(pieces.map((one) => one.slice(0, 10))).toEqual([...Array(5).fill(' stdout P '), ' stdout F '])
  expect(pieces.map((one) => one.slice(10)).join('') === long.toString()).toBe(true)
})
