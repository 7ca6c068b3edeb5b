import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { HARDWARE_CLASSES, type HardwareClass } from '@rackfair/hardware/classes'
import { agreedVerification } from '@rackfair/hardware/verification'
import { hardwareWalked } from '@rackfair/hardware/wire'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { createResultCheck, fetchHardware, hardwareQuestionData } from '@rackfair/sdk/uptime'
import { freePort, type MonitoredProvider, startMonitoredMarket } from '@rackfair/testkit'
import { pino } from 'pino'
import { type LocalAccount, zeroAddress, zeroHash } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createHardwareTests } from '../../../agent/src/machine/hardware/createHardwareTests.ts'
import type { MeasuredNode } from '../../../agent/src/machine/hardware/createSessions.ts'
import { openHardwareRecords } from '../../../agent/src/machine/hardware/openHardwareRecords.ts'
import { type Measuring, startMeasuring as startAt } from '../../../agent/src/machine/hardware/startMeasuring.ts'
import { createKnownMonitors } from '../../../agent/src/uptime/knownMonitors.ts'
import { createMetrics } from '../createMetrics.ts'
import { openObservations } from '../openObservations.ts'
import { readFleet } from '../readFleet.ts'
import { startServer } from '../startServer.ts'
import { beaconOf } from './beaconOf.ts'
import { createHardwareTester } from './createHardwareTester.ts'
import { createHardwareCalendar } from './hardwareCalendar.ts'
import { openResults } from './openResults.ts'
import { testProvider } from './testProvider.ts'

const CHAIN = 2985
/** Longer than all tests of this file take. */
const WEEKLY_MS = 600_000
/** At normal priority like the tests, so that the machine may be busy. */
const startMeasuring = (job: Parameters<typeof startAt>[0]) => startAt(job, 0)

/** Generous, as the measuring process may get no processor time for long; only a walk that has to be late gets a short limit. */
const GRACE_MS = 60_000
const SMALL: HardwareClass = { ...HARDWARE_CLASSES[0], sampleBytes: 2 ** 20 }
/** For a walk that is too slow. */
const HURRIED: HardwareClass = { ...SMALL, memoryWalkMs: 1_000 }
/** Its rows cannot be recomputed during a walk, which is shorter than starting a process for them. */
const SHORT: HardwareClass = { ...HARDWARE_CLASSES[0], memoryWalkMs: 60 }

describe('a machine under measurement', () => {
  let market: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    market = await setup()
  })
  afterAll(() => market.stop())

  it('is tested by all monitors at one beacon, with all nodes together, and each monitor keeps what it signs', async () => {
    const { agent, monitors, isSigned } = market
    await Promise.all(monitors.map(({ test }) => test()))
    for (const { results, account } of monitors) {
      const { results: own } = results.after(0)
      expect(own.map(({ nodeId, outcome, gpus }) => ({ nodeId, outcome, gpus }))).toEqual([
        { nodeId: '1', outcome: 'passed', gpus: 0 },
        { nodeId: '2', outcome: 'passed', gpus: 0 },
      ])
      for (const one of own) {
        expect(one).toMatchObject({ monitor: lowerCaseAddress(account.address), memoryBytes: 2 ** 24, cores: 1, rev: 1 })
        expect(await isSigned(one)).toBe(true)
        expect(await isSigned({ ...one, memoryBytes: 2 ** 36 })).toBe(false)
      }
    }
    const kept = agent.records.newest(100)
    expect(kept).toHaveLength(6)
    expect(new Set(kept.map(({ beacon }) => beacon)).size).toBe(1)
    const findings = kept.filter(({ nodeId }) => nodeId === '1')
    const drawn = findings.map(({ monitor }) => lowerCaseAddress(monitor))
    const agreed = findings.map((one) => ({ ...one, monitor: lowerCaseAddress(one.monitor), drawn }))
    expect(agreedVerification(agreed, 1)).toMatchObject({
      outcome: 'passed',
      agreed: 3,
    })
    // Memory and file are freed with the last of them.
    expect(existsSync(join(market.folder, '1.rows'))).toBe(false)
    expect(agent.records.spentMs(1n, market.now())).toBeGreaterThan(0)
    const { published } = monitors[0] as (typeof monitors)[number]
    const page = await fetchHardware(`http://127.0.0.1:${published.port}`, 2985, 1)
    expect(page).toMatchObject({ results: [{ nodeId: '2' }], next: 2 })
    expect((await fetchHardware(`http://127.0.0.1:${published.port}`, 2985, 2)).results).toEqual([])
  })

  it('is not tested again before the next test is due', async () => {
    const { monitors, agent } = market
    await market.nextEpoch()
    await Promise.all(monitors.map(({ test }) => test()))
    expect(agent.records.newest(100)).toHaveLength(6)
  })

  it('is walked once by a monitor, over each node, in as many questions as it takes', async () => {
    const { agent, provider, contract } = market
    const { account, epoch, beacon, hardwareClass } = await market.context(SMALL)
    const data = hardwareQuestionData(CHAIN, contract, { provider: provider.address, epoch, beacon })
    const question = { monitor: account.address, epoch, beacon, signature: await account.signTypedData(data) }
    const post = (step: string, body: object) =>
      fetch(`http://127.0.0.1:${agent.port}/.rackfair/hardware/${step}`, {
        method: 'POST',
        body: JSON.stringify({ ...question, ...body }),
      })
    expect((await post('start', { hardwareClass: hardwareClass.id, nodes: ['1', '2'] })).status).toBe(200)
    const walked = async (...nodes: string[]) => {
      const answer = await post('walk', { use: 'memory', nodes: nodes.map((nodeId) => ({ nodeId, salt: zeroHash })) })
      return answer.ok ? hardwareWalked.parse(await answer.json()).nodes.map(({ nodeId }) => nodeId) : answer.status
    }
    expect([await walked('1'), await walked('1'), await walked('1', '2', '3'), await walked('1', '2')]).toEqual([
      ['1'],
      410,
      ['2'],
      410,
    ])
    agent.tests.stop()
  })

  it('reports which nodes it does not measure, and why', async () => {
    const { agent } = market
    agent.nodes.set(1n, { ...(agent.nodes.get(1n) as MeasuredNode), inUse: true })
    agent.free = 2 ** 20
    expect(await market.outcomes(SMALL)).toEqual(['in_use', 'memory_taken'])
    agent.free = 2 ** 40
    agent.records.addRun(market.now(), 2n, WEEKLY_MS)
    expect(await market.outcomes(SMALL)).toEqual(['in_use', 'time_spent'])
    agent.nodes.set(1n, { ...(agent.nodes.get(1n) as MeasuredNode), inUse: false })
  })

  it('is released at once when a tenant arrives', async () => {
    const { agent } = market
    agent.measure = (job) => {
      const measuring = startMeasuring(job)
      void measuring.promised.then(() => agent.tests.stop())
      return measuring
    }
    expect((await market.outcomes(SMALL))[0]).toBe('in_use')
    expect(existsSync(join(market.folder, '1.rows'))).toBe(false)
  })

  it('responds to monitors only, and for the current epoch only', async () => {
    const { agent, provider, stranger } = market
    const context = { ...(await market.context(SMALL)), account: stranger }
    await expect(testProvider(provider, context)).rejects.toThrow()
    expect(agent.records.newest(1)[0]?.monitor).not.toBe(lowerCaseAddress(stranger.address))
    const old = { ...(await market.context(SMALL)), epoch: 5 }
    await expect(testProvider(provider, old)).rejects.toThrow()
    const post = (step: string, body: unknown) =>
      fetch(`http://127.0.0.1:${agent.port}/.rackfair/hardware/${step}`, { method: 'POST', body: JSON.stringify(body) })
    expect((await post('start', {})).status).toBe(400)
    expect((await post('walk', { padding: 'x'.repeat(20_000) })).status).toBe(400)
    expect((await post('other', {})).status).toBe(404)
  })

  it('answers a monitor whatever a stranger at the same address sends', async () => {
    const { agent } = market
    const inUse = { ...(agent.nodes.get(1n) as MeasuredNode), inUse: true }
    for (const id of [1n, 2n]) agent.nodes.set(id, inUse)
    const url = `http://127.0.0.1:${agent.port}/.rackfair/hardware`
    const steps = ['start', 'walk', 'open', 'result']
    const flood = Array.from({ length: 100 }, (_, index) => fetch(`${url}/${steps[index % 4]}`, { method: 'POST', body: '{}' }))
    const statuses = (await Promise.all(flood)).map(({ status }) => status)
    expect(new Set(statuses)).toEqual(new Set([400, 429]))
    expect(await market.outcomes(SMALL)).toEqual(['in_use', 'in_use'])
  })
})

describe('a machine weaker than declared', () => {
  let market: Awaited<ReturnType<typeof setup>>
  beforeAll(async () => {
    market = await setup()
  })
  afterAll(() => market.stop())

  it.each<[string, (job: Parameters<typeof startMeasuring>[0]) => Measuring, string, HardwareClass?]>([
    ['answers for another node', (job) => startMeasuring({ ...job, seeds: swapped(job.seeds) }), 'wrong'],
    [
      'computes with fewer cores than it promises',
      (job) => {
        const honest = startMeasuring(job)
        return {
          ...honest,
          promised: honest.promised.then((one) => ({ ...one, argon: one.argon.map(() => new Uint8Array(32)) })),
        }
      },
      'wrong',
    ],
    ['has less memory than it is asked for', (job) => startMeasuring({ ...job, rowsPerRound: { memory: 4, disk: 4 } }), 'wrong'],
    ['walks fewer steps', (job) => startMeasuring({ ...job, steps: { memory: 100, disk: 10 } }), 'wrong'],
    [
      'walks too slowly',
      (job) => {
        const honest = startMeasuring(job)
        return {
          ...honest,
          walk: (...args) => sleep(HURRIED.memoryWalkMs + 100).then(() => honest.walk(...args)),
        }
      },
      'late',
      HURRIED,
    ],
    [
      'opens other rows',
      (job) => {
        const honest = startMeasuring(job)
        return { ...honest, open: (monitor, use) => honest.open(monitor, use, new Uint8Array(32)) }
      },
      'wrong',
    ],
  ])('is refused when it %s', async (_, measure, outcome, hardwareClass = SMALL) => {
    market.agent.measure = measure
    expect(await market.outcomes(hardwareClass)).toEqual([outcome, outcome])
  })

  it('is refused when it presents the proof of an older beacon', async () => {
    const jobs = new Map<string, Parameters<typeof startMeasuring>[0]>()
    market.agent.measure = (job) => {
      const old = jobs.get(job.file) ?? job
      jobs.set(job.file, old)
      return startMeasuring(old)
    }
    expect(await market.outcomes(SMALL)).toEqual(['passed', 'passed'])
    expect(await market.outcomes(SMALL)).toEqual(['wrong', 'wrong'])
  })

  it('is refused when two nodes share one memory in turns', async () => {
    let before: Measuring | undefined
    market.agent.measure = (job) => {
      if (before) {
        const other = before
        // The second is created once the memory of the first has been freed.
        const promised = other.promised.then(() => {
          other.stop()
          second = startMeasuring(job)
          return second.promised
        })
        let second: Measuring | undefined
        return {
          ...other,
          promised,
          walk: (...args) => (second as Measuring).walk(...args),
          open: (...args) => (second as Measuring).open(...args),
          stop: () => second?.stop(),
        }
      }
      const first = startMeasuring(job)
      let again: Measuring | undefined
      before = first
      return {
        ...first,
        // Its rows are gone and have to be recomputed.
        async walk(...args) {
          again = startMeasuring({ ...job, file: `${job.file}.again` })
          await again.promised
          return again.walk(...args)
        },
        open: (...args) => (again as Measuring).open(...args),
        stop() {
          first.stop()
          again?.stop()
        },
      }
    }
    const [first] = await market.outcomes(SHORT)
    expect(first).toBe('late')
  })
})

describe('due tests', () => {
  it('are due on a new revision or order, now and then afterwards, and once a day', () => {
    const known = new Set<string>()
    const calendar = { epochSeconds: 300 } as Parameters<typeof createHardwareCalendar>[0]
    const due = createHardwareCalendar(calendar, (_, id, rev, orderId) => known.has(`${id} ${rev} ${orderId}`))
    const provider = (rev: number, orderId: bigint) => ({
      ...{
        address: lowerCaseAddress(`0x${'00'.repeat(19)}07`),
        operator: lowerCaseAddress(zeroAddress),
        ip: '',
        port: 1,
        domain: '',
      },
      nodes: [{ id: 1n, orderId, rev, nMEM: 1, nCPU: 1, core: 1 }],
    })
    const times = (one: ReturnType<typeof provider>, from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => from + index).filter((epoch) => due.isDue(one, epoch))
    expect(times(provider(1, 0n), 10, 30)).toEqual([10, 11, 13, 22])
    known.add('1 1 0')
    expect(times(provider(1, 0n), 30, 700)).toEqual([295, 583])
    expect(times(provider(1, 8n), 700, 720)).toEqual([700, 701, 703, 712])
    expect(times(provider(2, 0n), 720, 722)).toEqual([720, 721])
  })
})

const swapped = ({ memory, disk }: { memory: Uint8Array; disk: Uint8Array }) => ({ memory: disk, disk: memory })

async function setup() {
  const port = await freePort()
  const chain = await startMonitoredMarket({ monitors: 3, orders: 2, gatewayPorts: [port] })
  const { client, addresses, contract, calendar, stranger } = chain
  const [{ account, operator }] = chain.fleet as [MonitoredProvider]
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-hardware-'))
  let clock = Number((await client.getBlock()).timestamp)
  const now = () => clock
  // Monitors are drawn from the period after they joined.
  clock = calendar.endOf(calendar.periodAt(clock)) + 10
  await chain.at(clock)
  const log = pino({ level: 'silent' })

  const records = openHardwareRecords(join(folder, 'agent.sqlite'))
  const facts = { orderId: 1n, inUse: false, nMEM: 64, nCPU: 2, core: 20 }
  const nodes = new Map<bigint, MeasuredNode>([
    [1n, facts],
    [2n, facts],
  ])
  const agent = { port, records, nodes, free: 2 ** 40, measure: startMeasuring }
  let sizes = HARDWARE_CLASSES[0] as HardwareClass
  const tests = createHardwareTests({
    ...{ account: operator, chainId: CHAIN, provider: lowerCaseAddress(account.address), now, records, tls: false },
    monitors: createKnownMonitors({ client, addresses }, () => now() * 1000),
    node: (nodeId) => nodes.get(nodeId),
    measure: (job) => agent.measure(job),
    freeBytes: () => agent.free,
    fileOf: (nodeId) => join(folder, `${nodeId}.rows`),
    log: { debug() {}, info() {}, warn() {}, error() {} } as never,
    weeklyMs: WEEKLY_MS,
    classOf: () => sizes,
  })
  const server = createServer((request, response) => {
    void tests.handle(request, response, (request.url ?? '').replace('/.rackfair/hardware/', ''))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))

  const metrics = createMetrics()
  const monitors = await Promise.all(
    chain.accounts.map(async (one: LocalAccount, index) => {
      const results = openResults(join(folder, `${index}.hardware`))
      const observations = openObservations(join(folder, `${index}.sqlite`), calendar)
      const published = await startServer({
        ...{
          host: '127.0.0.1',
          port: 0,
          monitor: lowerCaseAddress(one.address),
          observations,
          hardware: results,
          calendar,
          metrics,
          now,
        },
      })
      const test = createHardwareTester({
        ...{
          account: one,
          signer: one,
          client,
          chainId: CHAIN,
          addresses,
          monitors: contract,
          calendar,
          metrics,
          now,
          log,
          results,
        },
        graceMs: GRACE_MS,
      })
      return { account: one, results, observations, published, test }
    }),
  )
  const [provider] = await readFleet(client, addresses)
  if (!provider) throw new Error('no provider')
  const nextEpoch = async () => {
    clock += calendar.epochSeconds
    await chain.at(clock)
  }
  const context = async (one: HardwareClass) => {
    sizes = one
    await nextEpoch()
    const epoch = calendar.epochAt(now())
    const beacon = await beaconOf(client, epoch * calendar.epochSeconds)
    if (!beacon) throw new Error('no beacon')
    const [asking] = chain.accounts as [LocalAccount]
    const graceMs = one === SMALL ? GRACE_MS : 0
    return {
      account: asking,
      signer: asking,
      chainId: CHAIN,
      monitors: contract,
      epoch,
      beacon,
      hardwareClass: one,
      graceMs,
      now,
    }
  }
  return {
    isSigned: createResultCheck(client, CHAIN, contract),
    ...{ agent: Object.assign(agent, { tests }), monitors, contract, provider, stranger, folder, now, nextEpoch, context },
    /** The outcomes of one monitor for both nodes, at a beacon of its own. */
    async outcomes(one: HardwareClass) {
      const found = await testProvider(provider, await context(one))
      tests.stop()
      return found.map(({ outcome }) => outcome)
    },
    async stop() {
      tests.stop()
      server.closeAllConnections()
      server.close()
      for (const { results, observations, published } of monitors) {
        await published.stop()
        results.close()
        observations.close()
      }
      records.close()
      await chain.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
