import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJson, readFrames } from '@rackfair/protocol/frames'
import type { UsageHistory, UsageLimits, UsageNow, UsagePoint } from '@rackfair/protocol/workspaceAnswers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sayingLog } from '../../../foundation/log.ts'
import { createUsageMeter } from '../../../machine/usage/createUsageMeter.ts'
import { createUsageRecorder } from '../../../machine/usage/createUsageRecorder.ts'
import { createUsageRing, KEPT_SECONDS, RECORD_SECONDS } from '../../../machine/usage/usageRing.ts'
import { openChannel } from '../../../testing/openChannel.ts'
import { setupRuntime, type TestRuntime } from '../../../testing/setupRuntime.ts'
import { whyNoContainers } from '../../../testing/whyNoContainers.ts'
import { createUsageHandler } from './serveUsage.ts'

const SHELL = 3
const GPU = { model: 'RTX-4090', id: 'GPU-1' } as never
const reason = whyNoContainers()
const folder = mkdtempSync(join(tmpdir(), 'rackfair-usage-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(reason)(`the usage of an order (${reason ?? 'here'})`, () => {
  let market: TestRuntime
  beforeAll(async () => {
    market = await setupRuntime()
    await market.run(1n, SHELL, { cores: 0.5, memoryBytes: 512 * 2 ** 20, diskBytes: 256 * 2 ** 20 })
    await market.run(2n, SHELL)
  })
  afterAll(() => market?.close())

  const meter = () =>
    createUsageMeter({
      usage: market.runtime.usage,
      gpusOf: (orderId) => (orderId === 1n ? [GPU] : []),
      readingOf: () => ({ usePercent: 40, memoryUsedMb: 1000, memoryMb: 24_000, celsius: 50 }) as never,
    })

  it('is that of its programs, next to the limits that were bought', async () => {
    const [limits, idle] = await live(1n, 1)
    expect(limits).toMatchObject({
      type: 'limits',
      cores: 0.5,
      memoryBytes: 512 * 2 ** 20,
      gpus: [{ model: 'RTX-4090', memoryMb: 24_000 }],
    })
    expect((limits as UsageLimits).diskBytes).toBeGreaterThan(200 * 2 ** 20)
    expect((limits as UsageLimits).diskBytes).toBeLessThanOrEqual(256 * 2 ** 20)
    const before = pointOf(idle)
    expect(before.cores).toBeLessThan(0.2)
    expect(before.gpus).toEqual([{ usePercent: 40, memoryUsedMb: 1000, celsius: 50 }])
    const work = market.inside(
      1n,
      'head -c 50000000 /dev/urandom > ~/file; exec timeout 60 python3 -c "b = bytearray(200 * 2**20)\nwhile True: pass"',
    )
    let most = before
    await expect
      .poll(
        async () => {
          most = pointOf((await live(1n, 1))[1])
          // On a busy machine it has less than that in some seconds.
          return most.memoryBytes > before.memoryBytes + 190 * 2 ** 20 && most.cores > 0.1
        },
        { timeout: 60_000 },
      )
      .toBe(true)
    // Only the half processor that was bought is available.
    expect(most.cores).toBeLessThan(0.75)
    expect(most.processes).toBeGreaterThan(before.processes)
    expect((most.diskBytes ?? 0) - (before.diskBytes ?? 0)).toBeGreaterThan(49e6)
    await market.inside(1n, 'pkill python3')
    await work
    expect(pointOf((await live(2n, 1))[1])).toMatchObject({ gpus: [] })
  })

  it('is recorded while it runs, and returned as a history', async () => {
    let now = 1_800_000_000_000
    const ring = createUsageRing(join(folder, 'recorded'))
    const timed = createUsageMeter({ usage: market.runtime.usage, gpusOf: () => [], readingOf: () => undefined, now: () => now })
    const recorder = createUsageRecorder({ meter: timed, ring, orders: () => [2n, 9n], log: sayingLog(() => {}) })
    recorder.stop()
    for (let count = 0; count < 4; count += 1, now += RECORD_SECONDS * 1000) await recorder.record()
    const [, history] = await read(2n, { history: { from: 1_800_000_000, to: 1_800_000_100, points: 1000 } }, timed, ring)
    expect((history as UsageHistory).points.map((one) => one.time)).toEqual([1_800_000_010, 1_800_000_020, 1_800_000_030])
    expect((history as UsageHistory).points[0]?.memoryBytes).toBeGreaterThan(0)
    ring.remove(2n)
    expect(ring.read(2n, 0, { from: 0, to: 2_000_000_000, points: 10 })).toEqual([])
  })

  it('costs no engine call after the first, and continues after a restart', async () => {
    const one = meter()
    const first = await one.measure(2n)
    const began = process.cpuUsage()
    for (let count = 0; count < 500; count += 1) await one.measure(2n)
    const { user, system } = process.cpuUsage(began)
    // 50 orders every ten seconds are five measurements a second.
    console.log(`one measurement takes ${((user + system) / 500).toFixed(0)} µs of processor`)
    expect((user + system) / 500).toBeLessThan(20_000)
    await market.runtime.stop(2n)
    expect(await one.measure(2n)).toBeUndefined()
    await market.runtime.start(2n)
    const again = await one.measure(2n)
    expect(again?.start).not.toBe(first?.start)
    expect(first && again && one.between(first, again)).toBeUndefined()
  })

  it('is refused for an invalid request', async () => {
    for (const request of [null, { live: 1 }, { history: {} }, { history: { from: 0, to: 1, points: 5000 } }, { more: 1 }])
      await expect(read(1n, request)).rejects.toMatchObject({ code: 'bad_request' })
    expect(await read(9n, {})).toEqual([{ type: 'limits', gpus: [] }])
  })

  /** The limits, and a number of readings. */
  const live = (orderId: bigint, readings: number) =>
    read(orderId, { live: true }, meter(), createUsageRing(folder), 1 + readings)

  const read = async (
    orderId: bigint,
    request: unknown,
    one = meter(),
    ring = createUsageRing(folder),
    count = Number.POSITIVE_INFINITY,
  ) => {
    const channel = openChannel()
    const handler = createUsageHandler({ meter: one, ring, gpuCount: () => 0, liveMs: 500 })
    const handled = handler(orderId, request, channel.channel).finally(channel.close)
    handled.catch(() => {})
    const frames: unknown[] = []
    for await (const frame of readFrames(channel.sent)) {
      frames.push(decodeJson(frame.payload))
      if (frames.length >= count) break
    }
    channel.close()
    await handled
    return frames
  }
})

describe('recorded usage', () => {
  const point = (time: number, more: Partial<UsagePoint> = {}): UsagePoint => ({
    ...{
      time,
      cores: 0.5,
      processes: 3,
      memoryBytes: 2 ** 33,
      diskBytes: undefined,
      receivedPerSecond: 1e9,
      sentPerSecond: 2,
      gpus: [],
    },
    ...more,
  })
  const START = 1_800_000_000

  it('is returned exactly, or as the mean of what a point covers', () => {
    const ring = createUsageRing(join(folder, 'exact'))
    const gpus = [{ usePercent: 10, memoryUsedMb: undefined, celsius: 60, watts: 300 }]
    for (let count = 0; count < 100; count += 1)
      ring.write(1n, point(START + count * RECORD_SECONDS, { memoryBytes: count, diskBytes: 5, gpus }))
    const all = ring.read(1n, 1, { from: START, to: START + 990, points: 1000 })
    expect(all.length).toBe(100)
    expect(all[7]).toEqual(point(START + 70, { memoryBytes: 7, diskBytes: 5, gpus }))
    const few = ring.read(1n, 1, { from: START, to: START + 990, points: 10 })
    expect(few.map((one) => one.memoryBytes)).toEqual([4.5, 14.5, 24.5, 34.5, 44.5, 54.5, 64.5, 74.5, 84.5, 94.5])
    expect(few[0]?.gpus).toEqual(gpus)
  })

  it('covers seven days in a file of fixed size, whatever the number of GPUs', () => {
    const ring = createUsageRing(join(folder, 'long'))
    const gpus = Array.from({ length: 16 }, () => ({ usePercent: 1 }))
    for (let time = START; time < START + 2 * KEPT_SECONDS; time += RECORD_SECONDS * 97) ring.write(1n, point(time, { gpus }))
    ring.write(1n, point(START + 2 * KEPT_SECONDS - RECORD_SECONDS, { gpus }))
    expect(statSync(join(folder, 'long', '1-16')).size).toBeLessThanOrEqual(20e6)
    const all = ring.read(1n, 16, { from: 0, to: START + 2 * KEPT_SECONDS, points: 1000 })
    expect(all[0]?.time).toBeGreaterThanOrEqual(START + KEPT_SECONDS)
    expect(all.length).toBeLessThanOrEqual(1000)
    expect(all.length).toBeGreaterThan(500)
  })
})

const pointOf = (frame: unknown): UsagePoint => (frame as UsageNow).point
