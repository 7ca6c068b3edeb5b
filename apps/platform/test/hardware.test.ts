import { HARDWARE_CLASSES } from '@rackfair/hardware/classes'
import { type HardwareResultWire, hardwareRecord } from '@rackfair/hardware/record'
import { nodeSearchAnswer } from '@rackfair/protocol/nodes'
import { zodOf } from '@rackfair/protocol/zodOf'
import { hardwareResultData } from '@rackfair/sdk/uptime'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { startPlatform } from '../src/startPlatform.ts'
import { NODE } from './actorOn.ts'
import { onBothDatabases } from './databases.ts'
import { type Market, startMarket } from './startMarket.ts'
import { type MonitoredMarket, monitorMarket } from './testing/monitoredMarket.ts'

type Facts = Omit<HardwareResultWire, 'monitor' | 'signature'>

onBothDatabases((databases) => {
  let market: Market
  let monitored: MonitoredMarket
  let provider: string
  beforeAll(async () => {
    market = await startMarket(await databases.fresh())
    monitored = await monitorMarket(market.chain, market.act)
    await market.act.becomeProvider()
    provider = market.chain.accounts.provider.address.toLowerCase()
  })
  afterAll(async () => {
    await monitored?.stop()
    await market?.stop()
  })

  const sign = async (index: number, facts: Facts, as = index): Promise<void> => {
    const one = monitored.monitors[index] as (typeof monitored.monitors)[number]
    const named = monitored.monitors[as] as typeof one
    const signature = await one.account.signTypedData(hardwareResultData(2985, monitored.contract, facts))
    one.hardware.put({ monitor: named.address, ...facts, signature })
  }
  const hardwareWhen = async (results: number) => {
    for (;;) {
      await market.platform.sweep()
      const { body } = await market.get(`/v1/nodes/${provider}/1/hardware`)
      const answer = zodOf(hardwareRecord).parse(body)
      if (answer.results.length >= results) return answer
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  const verified = async () =>
    zodOf(nodeSearchAnswer)
      .parse((await market.get('/v1/nodes?verified=true')).body)
      .items.map(({ id }) => id)
  /** The list follows the change feed. */
  const untilVerified = async (ids: number[]) => {
    while ((await verified()).join() !== ids.join()) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  it('shows a node as verified once two of three monitors signed a pass, and as failed once they signed a failure', async () => {
    const before = zodOf(hardwareRecord).parse(
      (await market.get(`/v1/nodes/${provider}/1/hardware?minBlock=${await market.act.client.getBlockNumber()}`)).body,
    )
    expect(before).toMatchObject({ verification: null, results: [] })
    expect(await verified()).toEqual([])

    const period = await monitored.nextPeriod()
    const time = monitored.calendar.startOf(period) + 100
    await monitored.at(time + 10)
    // A result from the future is ignored for good: the platform needs the right time.
    await market.get(`/v1/nodes/${provider}/1/hardware?minBlock=${await market.act.client.getBlockNumber()}`)
    const facts: Facts = {
      ...{ provider, nodeId: '1', rev: 1, orderId: '0', beacon: `0x${'be'.repeat(32)}`, hardwareClass: HARDWARE_CLASSES[1].id },
      ...{ outcome: 'passed', memoryBytes: 2 ** 34, diskBytes: 2 ** 31, cores: 8, gpus: 0 },
      ...{ makingMs: 4_000, limitMs: 60_000, memoryWalkMs: 200, diskWalkMs: 300, time },
    }
    await sign(0, facts)
    // Signed by one monitor in the name of another: it is rejected.
    await sign(1, { ...facts, nodeId: '1' }, 2)
    expect((await hardwareWhen(1)).verification).toBeNull()
    await sign(2, facts)
    const { verification, results } = await hardwareWhen(2)
    expect(verification).toEqual({
      ...{ outcome: 'passed', hardwareClass: 2, verified: true, time, agreed: 2, needed: 2 },
      ...{ memoryBytes: 2 ** 34, cores: 8, gpus: 0 },
    })
    expect(results.every(({ counts }) => counts)).toBe(true)
    await untilVerified([1])

    const later: Facts = { ...facts, beacon: `0x${'bf'.repeat(32)}`, outcome: 'late', time: time + 5 }
    await sign(0, later)
    await sign(2, later)
    expect((await hardwareWhen(4)).verification).toMatchObject({ outcome: 'failed', verified: false, agreed: 2 })
    await untilVerified([])
  })

  it('keeps a hundred results per monitor, node and day, and none for an unknown node', async () => {
    const [last] = monitored.monitors.slice(-1)
    const time = monitored.calendar.startOf(await monitored.nextPeriod()) + 100
    await monitored.at(time + 10)
    await market.get(`/v1/nodes/${provider}/1/hardware?minBlock=${await market.act.client.getBlockNumber()}`)
    const before = zodOf(hardwareRecord).parse((await market.get(`/v1/nodes/${provider}/1/hardware`)).body).results
    const ofDay = (results: typeof before) =>
      results.filter((one) => one.monitor === last?.address && Math.floor(one.time / 86_400) === Math.floor(time / 86_400))
    const facts: Facts = {
      ...{ provider, nodeId: '1', rev: 1, orderId: '0', beacon: '', hardwareClass: HARDWARE_CLASSES[1].id },
      ...{ outcome: 'in_use', memoryBytes: 0, diskBytes: 0, cores: 0, gpus: 0 },
      ...{ makingMs: 0, limitMs: 0, memoryWalkMs: 0, diskWalkMs: 0, time },
    }
    const beaconOf = (index: number) => `0x${index.toString(16).padStart(64, '0')}`
    await sign(2, { ...facts, nodeId: '2', beacon: beaconOf(1_000) })
    for (let index = 0; index < 110; index += 1) await sign(2, { ...facts, beacon: beaconOf(index) })
    await sign(1, { ...facts, beacon: beaconOf(2_000) })
    const { results } = await hardwareWhen(before.length + 101 - ofDay(before).length)
    expect(ofDay(results)).toHaveLength(100)
    const block = await market.act.send(market.chain.accounts.provider, 'registry', 'add_node', [NODE])
    const { body } = await market.get(`/v1/nodes/${provider}/2/hardware?minBlock=${block}`)
    expect(zodOf(hardwareRecord).parse(body).results).toEqual([])
  })

  it('shows what the other monitors found of a node, however much one says about it', async () => {
    const start = monitored.calendar.startOf(await monitored.nextPeriod()) + 100
    const facts: Facts = {
      ...{ provider, nodeId: '1', rev: 1, orderId: '0', beacon: `0x${'ce'.repeat(32)}`, hardwareClass: HARDWARE_CLASSES[1].id },
      ...{ outcome: 'passed', memoryBytes: 2 ** 34, diskBytes: 2 ** 31, cores: 8, gpus: 0 },
      ...{ makingMs: 4_000, limitMs: 60_000, memoryWalkMs: 200, diskWalkMs: 300, time: start },
    }
    const agreed = { verification: { outcome: 'passed', time: start, agreed: 2 } }
    const answer = async () => zodOf(hardwareRecord).parse((await market.get(`/v1/nodes/${provider}/1/hardware`)).body)
    const until = async (isShown: (shown: Awaited<ReturnType<typeof answer>>) => boolean) => {
      do {
        await market.platform.sweep()
        await new Promise((resolve) => setTimeout(resolve, 50))
      } while (!isShown(await answer()))
    }
    const readAt = async (time: number) => {
      await monitored.at(time + 10)
      await market.get(`/v1/nodes/${provider}/1/hardware?minBlock=${await market.act.client.getBlockNumber()}`)
    }
    await readAt(start)
    await sign(0, facts)
    await sign(1, facts)
    await until(({ verification }) => verification?.time === start)
    expect(await answer()).toMatchObject(agreed)
    await untilVerified([1])

    await readAt(start + 86_400 + 320_000)
    let last = ''
    for (let index = 0; index < 320; index += 1) {
      last = `0x${(10_000 + index).toString(16).padStart(64, '0')}`
      await sign(2, { ...facts, beacon: last, outcome: 'in_use', time: start + 86_400 + index * 1_000 })
    }
    await until((shown) => shown.results.some(({ beacon }) => beacon === last))
    const { results, verification } = await answer()
    expect({ verification }).toMatchObject(agreed)
    expect(results.length).toBeLessThanOrEqual(300)
    const times = results.map(({ time }) => time)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    await untilVerified([1])

    const restarted = await startPlatform({ ...market.settings, role: 'api', port: 0 }, pino({ level: 'silent' }))
    onTestFinished(() => restarted.stop())
    const list = async () => fetch(`${restarted.url}/v1/nodes?verified=true`)
    while ((await list()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50))
    expect(
      zodOf(nodeSearchAnswer)
        .parse(await (await list()).json())
        .items.map(({ id }) => id),
    ).toEqual([1])
  })
})
