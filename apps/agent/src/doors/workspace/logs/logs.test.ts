import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { FRAME, readFrames } from '@rackfair/protocol/frames'
import { decodeLogBatch, LOG_SOURCES, type LogLine, MAX_LOG_BYTES, MAX_LOG_LINE_BYTES } from '@rackfair/protocol/logLines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../../../foundation/log.ts'
import { createOrderNotes } from '../../../orders/orderNotes.ts'
import type { RunSpec } from '../../../runtime/RunSpec.ts'
import { openChannel } from '../../../testing/openChannel.ts'
import { setupRuntime, type TestRuntime } from '../../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../../testing/whyNoContainers.ts'
import { createLogsHandler } from './serveLogs.ts'

const SHELL = 3
/** Of almost 1 KiB each: 400 MB in the short run, 10 GB with RACKFAIR_DEEP=1. */
const LINES = process.env.RACKFAIR_DEEP === '1' ? 10_400_000 : 400_000
const LONG_MS = LINES / 3
/** Every byte except the newline, and sequences that would clear the screen, set the window title or colour later output. */
const BODY = Buffer.concat([
  ...Array.from({ length: 3 }, () =>
    Buffer.from(Array.from({ length: 256 }, (_, value) => value).filter((value) => value !== 10)),
  ),
  Buffer.from('\x1b[2J\x1b]0;title\x07\x1b[31m'.repeat(11)),
])
const WRITE = `
import sys
body = bytes.fromhex("${BODY.toString('hex')}")
for number in range(1, ${LINES} + 1): sys.stdout.buffer.write(b"%d " % number + body + b"\\n")
sys.stdout.flush()`
const reason = whyNoContainers()

describe.skipIf(reason)(`the log of an order (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  let notes: ReturnType<typeof createOrderNotes>

  beforeAll(async () => {
    market = await setupRuntime()
    notes = createOrderNotes(join(market.data, 'notes'), { log: sayingLog(() => {}) })
  })
  afterAll(() => market?.close())

  it('contains the agent’s lines and both outputs of the application, with any bytes', async () => {
    notes.add(1n, 'Starting')
    await start(
      1n,
      `python3 -u -c '
import sys
sys.stdout.buffer.write(bytes(range(256)).replace(b"\\n", b"") + b"\\n"); sys.stdout.flush()
sys.stdout.buffer.write(b"\\x1b[31mred\\x1b[0m\\rover\\n"); sys.stdout.flush()
sys.stderr.write("to the other\\n")
sys.stdout.write("x" * 200000 + "\\n"); sys.stdout.flush()
print("prompt> ", end="", flush=True)
'; sleep 1; exit 3`,
    )
    const ended = await untilEnded(1n)
    expect(ended).toMatchObject({ exitCode: 3 })
    notes.add(1n, 'The application ended', ended.endedAt)
    notes.add(1n, 'The application ended', ended.endedAt)
    const { lines } = await read(1n)
    const all = Buffer.from(Array.from({ length: 256 }, (_, value) => value).filter((value) => value !== 10))
    const whole = joinLines(lines)
    const of = (source: string) => whole.filter((one) => one.source === source)
    expect(of('agent').map((one) => String(one.bytes))).toEqual(['Starting', 'The application ended'])
    expect(of('stderr').map((one) => String(one.bytes))).toEqual(['to the other'])
    expect(of('stdout').map((one) => one.bytes.length)).toEqual([255, 17, MAX_LOG_LINE_BYTES])
    expect(of('stdout')[0]?.bytes).toEqual(all)
    expect(of('stdout').map((one) => one.cut)).toEqual([false, false, true])
    // This line was never terminated, but is shown all the same.
    expect(lines.find((one) => String(one.bytes) === 'prompt> ')?.more).toBe(true)
    expect(whole.at(0)?.source).toBe('agent')
    expect(whole.at(-1)?.source).toBe('agent')
    for (const source of LOG_SOURCES) {
      const times = of(source).map((one) => one.time)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    }
    expect(lines.every((one) => Math.abs(one.time / 1000 - Date.now()) < 600_000)).toBe(true)
  })

  it('resumes without a gap or a repetition over new containers, another agent, a killed engine and segment ends', async () => {
    // About 60 MB in four bursts: some files are created and removed while no agent is reading.
    const burst = (first: number) => `seq -f "%09.0f ${'.'.repeat(90)}" ${first} ${first + 99_999}`
    await start(2n, `${burst(1)}; exit 1`, 'first')
    await untilEnded(2n)
    const first = await read(2n)
    await market.runtime.remove(2n, { wipe: true })
    await start(2n, `${burst(100_001)}; sleep 1; exit 1`, 'second')
    await untilEnded(2n)
    const reader = openChannel()
    const handled = follow(2n, { cursor: first.cursor }, reader)
    const second = await take(reader, 50_000)
    reader.close()
    await handled
    await market.runtime.start(2n)
    await market.killEngine()
    await market.runtime.check()
    await untilEnded(2n)
    const another = await market.open()
    try {
      const rest = await read(2n, { cursor: second.cursor }, another)
      const whole = joinLines([...first.lines, ...second.lines, ...rest.lines])
      const numbers = whole.map((one) => Number(String(one.bytes).slice(0, 9)))
      const expected = [...count(1, 200_000), ...count(100_001, 200_000)]
      expect(numbers.length).toBe(expected.length)
      expect(numbers.findIndex((one, index) => one !== expected[index])).toBe(-1)
      expect(whole.some((one) => one.gap)).toBe(false)
    } finally {
      await another.close({ stopWorkloads: false })
      // That stopped the engine's service, which both used.
      await market.runtime.check()
    }
  })

  it(
    'keeps the newest lines on bounded disk space, and reports what is missing',
    async () => {
      await start(3n, `python3 -c '${WRITE}'; exec sleep infinity`)
      const folder = join(market.data, 'output', '3')
      const bytes = () =>
        readdirSync(folder).reduce((sum, name) => sum + (name === 'current' ? 0 : sizeOf(join(folder, name))), 0)
      let largest = 0
      const slow = openChannel()
      const handled = follow(3n, {}, slow)
      const early = await take(slow, 1)
      const held = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
      const before = held()
      let mostHeld = 0
      await expect
        .poll(
          () => {
            largest = Math.max(largest, bytes())
            mostHeld = Math.max(mostHeld, held() - before)
            return newestNumber(3n)
          },
          { timeout: LONG_MS, interval: 500 },
        )
        .toBe(LINES)
      expect(largest).toBeLessThanOrEqual(MAX_LOG_BYTES)
      expect(mostHeld).toBeLessThan(150 * 2 ** 20)
      const late = await take(slow, Number.POSITIVE_INFINITY, String(LINES))
      slow.close()
      await handled
      const whole = joinLines([...early.lines, ...late.lines])
      const numbers = whole.map((one) => Number.parseInt(one.bytes.toString('latin1'), 10))
      expect(numbers[0]).toBe(1)
      // What the slow reader missed is marked exactly where it is missing.
      const jumps = numbers.flatMap((one, index) => (index > 0 && one !== (numbers[index - 1] as number) + 1 ? [index] : []))
      const marked = whole.flatMap((one, index) => (one.gap ? [index] : []))
      expect(jumps.length).toBeGreaterThan(0)
      // The first line after it may be truncated at its beginning.
      expect(jumps.filter((index) => !marked.includes(index) && !marked.includes(index - 1))).toEqual([])
      expect(marked.filter((index) => !jumps.includes(index))).toEqual([])
      const kept = await read(3n)
      expect(kept.lines.length).toBeGreaterThan(40_000)
      // The oldest line may have started in a file that is gone.
      const [, ...complete] = joinLines(kept.lines)
      const changed = complete.filter(({ bytes, gap }) => !gap && !bytes.subarray(bytes.indexOf(' ') + 1).equals(BODY))
      expect(changed.length).toBe(0)
      console.log(
        `a log of ${Math.round((LINES * BODY.length) / 1e6)} MB: at most ${mib(largest)} MiB on the disk, ${mib(mostHeld)} MiB in memory`,
      )
      const last = await read(3n, { tail: 5 })
      expect(last.lines.map((one) => Number.parseInt(String(one.bytes), 10))).toEqual(count(LINES - 4, LINES))
    },
    2 * LONG_MS,
  )

  it('ends unless it is followed, even if the application writes faster', async () => {
    await start(6n, 'exec yes "$(head -c 1000 /dev/zero | tr "\\0" y)"')
    let first = 0
    const begun = () => {
      const newest = market.runtime.output(6n)?.end().segment ?? 0
      first ||= newest
      return newest - first
    }
    await expect.poll(begun, { timeout: 60_000 }).toBeGreaterThan(2)
    for (const request of [{}, { tail: 100 }]) expect((await read(6n, request)).lines.length).toBeGreaterThan(99)
    await market.runtime.remove(6n, { wipe: true })
  })

  it('reports running out of memory, but not any other SIGKILL', async () => {
    await start(4n, 'exec python3 -c "b = bytearray(900 * 2**20); print(len(b))"')
    expect(await untilEnded(4n)).toMatchObject({ exitCode: 137, outOfMemory: true })
    await start(5n, 'kill -9 $$')
    await market.inside(5n, 'true').catch(() => {})
    expect(await untilEnded(5n)).toMatchObject({ outOfMemory: false })
  })

  it('refuses an invalid request, and is gone after removal', async () => {
    for (const request of [null, 'x', { tail: -1 }, { tail: 1e9 }, { cursor: '../../x' }, { more: true }])
      await expect(read(1n, request)).rejects.toMatchObject({ code: 'bad_request' })
    expect((await read(1n, { cursor: '9.9.9.9' })).lines[0]?.gap).toBe(true)
    await market.runtime.remove(1n, { wipe: true })
    expect((await read(1n)).lines.length).toBeGreaterThan(5)
    await market.runtime.removeOutput(1n)
    notes.remove(1n)
    expect((await read(1n)).lines).toEqual([])
  })

  const handler = (runtime: TestRuntime['runtime']) =>
    createLogsHandler({ output: (orderId) => runtime.output(orderId), notes: notes.source })

  /** Until the reader closes. */
  const follow = (orderId: bigint, request: object, reader: ReturnType<typeof openChannel>) =>
    handler(market.runtime)(orderId, { ...request, follow: true }, reader.channel).catch((error: unknown) => {
      if (!reader.channel.signal.aborted) throw error
    })

  const start = async (orderId: bigint, script: string, deploymentId = 'first') => {
    const app: RunSpec = { ...market.app(SHELL), command: ['/bin/bash', '-c', script], args: [] }
    const imageId = await market.runtime.ensureImage(app)
    const allowance = { cores: 1, memoryBytes: 2 ** 29, diskBytes: 2 ** 28, gpus: [] }
    await market.runtime.create({ orderId, deploymentId, slot: Number(orderId), app, env: {}, allowance }, imageId)
    await market.runtime.start(orderId)
  }

  const untilEnded = async (orderId: bigint) => {
    await expect.poll(async () => (await market.runtime.find(orderId))?.running, { timeout: 120_000 }).toBe(false)
    const state = await market.runtime.find(orderId)
    if (!state) throw new Error('it is gone')
    return state
  }

  /** Reads everything written so far. */
  const read = async (orderId: bigint, request: unknown = {}, runtime = market.runtime) => {
    const reader = openChannel()
    const handled = handler(runtime)(orderId, request, reader.channel).finally(reader.close)
    const [all] = await Promise.all([take(reader, Number.POSITIVE_INFINITY), handled])
    return all
  }

  const newestNumber = async (orderId: bigint) =>
    Number.parseInt(String((await read(orderId, { tail: 1 })).lines.at(-1)?.bytes), 10)
})

/** Takes batches until there are enough lines, or one begins with `last`, or the stream ends. */
async function take(reader: ReturnType<typeof openChannel>, least: number, last?: string) {
  const lines: LogLine[] = []
  let cursor = ''
  for await (const frame of readFrames(reader.sent)) {
    if (frame.type !== FRAME.logBatch) continue
    const batch = decodeLogBatch(frame.payload)
    cursor = batch.cursor
    lines.push(...batch.lines.map((one) => ({ ...one, bytes: Buffer.from(one.bytes) })))
    if (lines.length >= least) break
    if (last && String(lines.at(-1)?.bytes).trim().startsWith(last)) break
  }
  return { lines, cursor }
}

/** Joins the pieces of each line; a gap before any piece counts as one before the line. */
function joinLines(lines: readonly LogLine[]) {
  const open = new Map<string, { bytes: Buffer; gap: boolean }>()
  return lines.flatMap((one) => {
    if (one.gap) open.clear()
    const begun = open.get(one.source)
    const whole = { bytes: Buffer.concat([begun?.bytes ?? Buffer.alloc(0), one.bytes]), gap: one.gap || begun?.gap === true }
    open.delete(one.source)
    if (one.more) open.set(one.source, whole)
    return one.more ? [] : [{ ...one, ...whole }]
  })
}

const count = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)
const mib = (bytes: number) => Math.round(bytes / 2 ** 20)
const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0
