import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { creditAbi, findingsAbi, monitorsAbi } from '@rackfair/contracts'
import type { OrderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { allowedDowntime } from '@rackfair/rules/duration'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { orderMoney } from '@rackfair/rules/order/money'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { monitorPayWei } from '@rackfair/rules/uptime/monitorPay'
import { getOrder, getProvider } from '@rackfair/sdk'
import { readOrder } from '@rackfair/sdk/http'
import { verifyReceipt } from '@rackfair/sdk/receipt'
import { acknowledgementData, readMonitorUrls, verifyReliability } from '@rackfair/sdk/uptime'
import { freePort } from '@rackfair/testkit'
import { pino } from 'pino'
import { type Address, createWalletClient, type Hex, http, type LocalAccount, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createMetrics } from './createMetrics.ts'
import { createMonitor } from './createMonitor.ts'
import type { MonitorOptions } from './MonitorOptions.ts'
import { openObservations } from './openObservations.ts'
import { acknowledge, type Probed, probeProvider } from './probeProvider.ts'
import { scheduleOf } from './schedule.ts'
import { type Follower, followMarket } from './testing/followMarket.ts'
import { runAgent } from './testing/runAgent.ts'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'

const HOUR = 3600
const BOND = 1_000n * ONE_CREDIT_WEI
/** Output of `rackfair-agent uptime --json`. */
interface Inspected {
  kept: { monitor: Address; acknowledgements: number }[]
  contradictions: { monitor: Address; period: number; epoch: number }[]
  proved: string[]
}
let world: MonitoredAgents
let agent: SimulatedAgent
let platform: Follower
beforeAll(async () => {
  world = await setupMonitoredAgents({ monitors: 3 })
  agent = world.agents[0] as SimulatedAgent
  platform = await followMarket(world.market.chain)
})
afterAll(async () => {
  await platform?.stop()
  await world?.stop()
})

const creditOf = (account: Address) => {
  const { client, addresses } = world.market
  return client.readContract({ address: addresses.credit, abi: creditAbi, functionName: 'balanceOf', args: [account] })
}

it('deducts an outage that the monitors saw, over a restart, and leaves the agent its evidence', async () => {
  const { market, monitors } = world
  const { evidence } = agent.side
  const [orderId = 0n] = agent.orderIds
  const { client, addresses, calendar } = market
  const { activateTime } = await getOrder(client, addresses, orderId)
  const period = calendar.periodAt(activateTime) + 1
  const start = calendar.startOf(period)
  const first = calendar.firstEpoch(period)
  const all = async (step: 'observe' | 'report') => {
    for (const monitor of world.monitors) await monitor[step]()
  }

  for (let epoch = 0; epoch < 6; epoch += 1) {
    await world.at(start + epoch * calendar.epochSeconds + 10)
    if (epoch === 2) await agent.side.close()
    if (epoch === 4) await agent.side.open()
    await all('observe')
  }
  const [report] = monitors[0]?.observations.reports(period) ?? []
  expect(report).toMatchObject({ orderId, observed: 0b111111n, down: 0b001100n })
  expect(evidence.ofOrder(orderId, first, first + 5).map(({ epoch }) => epoch - first)).toEqual([
    0, 0, 0, 1, 1, 1, 4, 4, 4, 5, 5, 5,
  ])

  const end = calendar.endOf(period)
  await world.at(end + 200)
  const early = await fetch(`http://127.0.0.1:${monitors[1]?.published.port}/v1/reports/${period}`)
  expect(early.status).toBe(425)
  await all('report')
  await world.restart(2)
  await world.at(end + HOUR + 10)
  await all('report')
  await world.at(end + 2 * HOUR + 10)
  await all('report')
  // What the order page shows until then: the finding, and when the refund is final.
  const outage = { orderId: String(orderId), from: start + 600, until: start + 1200, epochs: 2 }
  const found = await platform.outage(agent.provider.address, 1, ({ reported }) => reported === 3)
  expect(found).toMatchObject({ ...outage, state: 'found', agreed: 3 })
  expect(found.finalAt).toBeLessThan(end + 6 * HOUR + 20)
  await world.at(end + 6 * HOUR + 20)
  await all('report')
  expect((await getOrder(client, addresses, orderId)).down).toBe(2 * calendar.epochSeconds)
  const wire = await platform.order(orderId, ({ down }) => down > 0)
  expect(wire.down).toBe(600)
  expect(orderMoney(readOrder(wire), end + 6 * HOUR + 20).downtimeWei).toBe(accruedWei(BigInt(wire.rate), 600n))
  await platform.outage(agent.provider.address, 1, ({ state }) => state === 'final')
  // Anybody can recompute the resulting reliability, and detects withheld or forged evidence.
  const node = { provider: agent.provider.address, nodeId: 1n }
  const answer = await platform.reliability(node.provider, 1, ({ reliability: one }) => one?.outages === 1 && one.seenDays > 0)
  const published = await platform.evidence(orderId, ({ periods: [one] }) => one?.votes.length === 3)
  const verify = (some: OrderEvidenceAnswer[]) => verifyReliability(client, addresses.access, node, answer, some)
  // An outage weighs slightly less if midnight lies between it and the query.
  const failures = expect.closeTo(2, 2)
  expect(await verify([published])).toMatchObject({ agrees: true, refused: 0, found: { failures } })
  expect(await verify([])).toMatchObject({ agrees: false, found: { failures, observedDays: 10 } })
  const forged = structuredClone(published)
  for (const vote of forged.periods[0]?.votes ?? []) vote.observed = String(2n ** 96n - 1n)
  expect(await verify([forged])).toMatchObject({ agrees: false, refused: 3, found: { observedDays: 10 } })
  // A repetition changes nothing.
  await all('report')
  expect((await getOrder(client, addresses, orderId)).down).toBe(2 * calendar.epochSeconds)
})

it('cannot report downtime that it acknowledged as uptime: the contract accepts the agent’s evidence', async () => {
  const { market } = world
  const [orderId = 0n] = agent.orderIds
  const { client, contract, provider } = market
  const [kept] = agent.side.evidence.ofOrder(orderId, 0, 2 ** 31)
  const { epoch, nodeId, monitor, signature } = kept as NonNullable<typeof kept>
  const facts = { market: market.addresses.market, orderId, provider: provider.address, nodeId, epoch }
  const data = acknowledgementData(2985, contract, facts)
  expect(
    await client.verifyTypedData({ ...data, address: monitor as `0x${string}`, signature: signature as `0x${string}` }),
  ).toBe(true)
  expect(await client.readContract({ address: contract, abi: monitorsAbi, functionName: 'monitors' })).toHaveLength(3)
})

it('counts a node as up only if its operator responds for the order on chain, from a public address', async () => {
  const { market, schedule } = world
  const [node] = agent.nodes as [(typeof agent.nodes)[number]]
  const { provider, addresses, client, contract, calendar } = market
  const at = Number((await client.getBlock()).timestamp)
  const { account } = world.monitors[0] as (typeof world.monitors)[number]
  const context = {
    ...{
      account,
      signer: account,
      chainId: 2985,
      monitors: contract,
      market: lowerCaseAddress(addresses.market),
      epoch: calendar.epochAt(at),
    },
    ...{ beacon: `0x${'be'.repeat(32)}` as const, schedule },
  }
  const { port, operator } = await getProvider(client, addresses, provider.address)
  const parties = { address: lowerCaseAddress(provider.address), operator: lowerCaseAddress(operator) }
  const target = { ...parties, ip: '127.0.0.1', port, domain: '', nodes: [] }
  const isUp = async (other: Partial<typeof target>, orderId = node.orderId, chainId = 2985) =>
    (await probeProvider({ ...target, ...other }, [{ id: 1n, orderId }], { ...context, chainId }))[0]?.isUp
  expect(await isUp({})).toBe(true)
  expect(await isUp({ operator: lowerCaseAddress(account.address) })).toBe(false)
  expect(await isUp({}, node.orderId + 1n)).toBe(false)
  expect(await isUp({ port: 1 })).toBe(false)
  expect(await isUp({ ip: 'localhost' })).toBe(false)
  expect(await isUp({}, node.orderId, 985)).toBe(false)
  node.healthy = false
  expect(await isUp({})).toBe(false)
  node.healthy = true
})

it('counts no downtime while one of two edges answers: it asks at the addresses of the name, and thanks where the answer came from', async () => {
  const { market, schedule } = world
  const [node] = agent.nodes as [(typeof agent.nodes)[number]]
  const { provider, addresses, client, contract, calendar } = market
  const { account } = world.monitors[1] as (typeof world.monitors)[number]
  const { port, operator } = await getProvider(client, addresses, provider.address)
  const epoch = calendar.epochAt(Number((await client.getBlock()).timestamp))
  // At the address of the other edge there is nobody, or somebody else who answers something, or who is busy.
  let answer = 'none'
  const others = createServer((_, response) => {
    if (answer === 'busy') response.writeHead(503).end()
    else response.end(answer)
  })
  const target = {
    ...{ address: lowerCaseAddress(provider.address), operator: lowerCaseAddress(operator), domain: 'atlas.edge.test' },
    ...{ ip: '127.0.0.77', port, nodes: [] },
  }
  const asked: string[] = []
  const context = {
    ...{
      account,
      signer: account,
      chainId: 2985,
      monitors: contract,
      market: lowerCaseAddress(addresses.market),
      epoch,
      schedule,
    },
    beacon: `0x${'be'.repeat(32)}` as const,
    alsoAt: async ({ domain }: { domain: string }) => {
      asked.push(domain)
      return ['127.0.0.78', '127.0.0.77', '127.0.0.1', '127.0.0.79']
    },
  }
  const probe = async (ip = target.ip) =>
    (await probeProvider({ ...target, ip }, [{ id: 1n, orderId: node.orderId }], context))[0]
  const up = { isUp: true, from: { ip: '127.0.0.1', tls: false } }
  expect(await probe()).toMatchObject(up)
  expect(asked).toEqual(['atlas.edge.test'])
  const heard: string[] = []
  agent.side.insteadOfAnswer = (path) => void heard.push(path)
  await acknowledge(target, [(await probe()) as Probed], context)
  agent.side.insteadOfAnswer = undefined
  expect(heard).toEqual(['/.rackfair/attestation', '/.rackfair/acknowledgement'])

  others.listen(port, '127.0.0.77')
  await once(others, 'listening')
  for (answer of ['{}', 'nothing of ours', '{"attestations":[]}']) expect(await probe(), answer).toMatchObject(up)
  answer = 'busy'
  expect(await probe()).toMatchObject({ isUp: false, isBusy: true })
  others.closeAllConnections()
  others.close()

  // An answer at the registered address is enough, and both silent is down.
  asked.length = 0
  expect(await probe('127.0.0.1')).toMatchObject(up)
  expect(asked).toEqual([])
  await agent.side.close()
  expect(await probe()).toMatchObject({ isUp: false })
  await agent.side.open()
})

/** The metrics of a monitor after an epoch, alone with its clock. */
async function observeOnce(account: LocalAccount, options: Partial<MonitorOptions> = {}): Promise<string> {
  const { market, schedule } = world
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-alone-'))
  const observations = openObservations(join(folder, 'observations.sqlite'), market.calendar)
  const metrics = createMetrics()
  let clock = Math.floor(Date.now() / 1000)
  const monitor = createMonitor({
    ...{ account, signer: account, observations, metrics, schedule, chainId: 2985, log: pino({ level: 'silent' }) },
    ...{ monitors: market.contract, findings: market.findings },
    ...{ client: market.client, addresses: market.addresses, calendar: market.calendar, now: () => clock },
    writer: createWalletClient({ account, transport: http(market.rpcUrl) }),
    ...options,
  })
  clock += market.calendar.epochSeconds
  await monitor.observe()
  observations.close()
  rmSync(folder, { recursive: true, force: true })
  return metrics.text()
}
const NOTHING_SEEN = ['up', 'down'].map((result) => `rackfair_monitor_observations_total{result="${result}"} 0\n`)

it('does not report on machines of its own operator', async () => {
  const metrics = await observeOnce(agent.operator)
  for (const line of ['rackfair_monitor_silent_providers 1\n', ...NOTHING_SEEN]) expect(metrics).toContain(line)
})

it('asks, as it is started, at the addresses of the registered name where the registered address is silent', async () => {
  const { market, monitors } = world
  const [node] = agent.nodes as [(typeof agent.nodes)[number]]
  const { provider, addresses, client, calendar } = market
  const { port, operator } = await getProvider(client, addresses, provider.address)
  const parties = { address: lowerCaseAddress(provider.address), operator: lowerCaseAddress(operator) }
  const size = { rev: 1, nMEM: 1, nCPU: 1, core: 1, id: 1n, orderId: node.orderId }
  // Nobody answers at the registered address.
  const fleet = async () => [{ ...parties, ip: '127.9.0.77', port, domain: 'atlas.edge.test', nodes: [size] }]
  const at = Number((await client.getBlock()).timestamp)
  const asked: string[] = []
  const addressesOf = async (name: string) => {
    asked.push(name)
    return ['127.9.0.78', '127.0.0.1']
  }
  const observe = (options: Partial<MonitorOptions>) => {
    const times = [at - calendar.epochSeconds]
    return observeOnce(monitors[0]?.account as LocalAccount, { fleet, now: () => times.shift() ?? at, ...options })
  }
  const [up, down] = ['up', 'down'].map((result) => `rackfair_monitor_observations_total{result="${result}"} 1\n`)
  expect(await observe({ addressesOf })).toContain(up)
  expect(asked).toEqual(['atlas.edge.test'])
  expect(await observe({})).toContain(down)
})

it('asks nothing of machines that are not sold, of which anybody may list any number', async () => {
  let asked = 0
  const other = createServer((_, response) => {
    asked += 1
    response.end('{}')
  }).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const parties = { address: lowerCaseAddress(agent.provider.address), operator: lowerCaseAddress(agent.operator.address) }
  const [sold] = agent.orderIds
  const observe = (orderId: bigint) => {
    const size = { rev: 1, nMEM: 1, nCPU: 1, core: 1 }
    // So many that one that is not drawn for any of them looks at some.
    const nodes = Array.from({ length: 60 }, (_, index) => ({ ...size, id: BigInt(index + 1), orderId }))
    const provider = { ...parties, ip: '127.0.0.1', port: (other.address() as AddressInfo).port, domain: '', nodes }
    return observeOnce(world.monitors[0]?.account as LocalAccount, { fleet: async () => [provider] })
  }
  const metrics = await observe(0n)
  for (const line of NOTHING_SEEN) expect(metrics).toContain(line)
  expect(asked).toBe(0)
  await observe(sold ?? 0n)
  expect(asked).toBeGreaterThan(0)
  other.close()
})

it('limits a silent provider to its share of an epoch', async () => {
  expect(scheduleOf(PRODUCTION_PACE)).toMatchObject({ providerMs: 90_000, answerMs: 10_000, retryMs: 15_000, settleSeconds: 120 })
  const { addresses, contract, provider, operator } = world.market
  let asked = 0
  const silent = createServer(() => {
    asked += 1
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as AddressInfo
  const nodes = Array.from({ length: 48 }, (_, index) => ({ id: BigInt(index + 1), orderId: 0n }))
  const parties = { address: lowerCaseAddress(provider.address), operator: lowerCaseAddress(operator.address) }
  const target = { ...parties, ip: '127.0.0.1', port, domain: '', nodes }
  const schedule = { ...world.schedule, answerMs: 200, providerMs: 300 }
  const account = world.monitors[0]?.account as LocalAccount
  const context = { account, signer: account, chainId: 2985, monitors: contract, epoch: 1, schedule }
  const seen = await probeProvider(target, nodes, { ...context, market: lowerCaseAddress(addresses.market), beacon: zeroHash })
  expect(seen.filter(({ isUp }) => !isUp)).toHaveLength(48)
  // Three attempts at three requests would be nine.
  expect(asked).toBeLessThanOrEqual(2)
  silent.closeAllConnections()
  silent.close()
})

it('exports metrics to Prometheus, and publishes a report unchanged on every request', async () => {
  const url = `http://127.0.0.1:${world.monitors[0]?.published.port}`
  const metrics = await (await fetch(`${url}/metrics`)).text()
  expect(metrics).toMatch(/rackfair_monitor_epoch \d{7}/)
  const throughProxy = await fetch(`${url}/metrics`, { headers: { 'x-forwarded-for': '203.0.113.7' } })
  expect(throughProxy.status).toBe(404)
  expect(metrics).toMatch(/rackfair_monitor_observations_total\{result="up"\} \d/)
  expect(metrics).toMatch(/rackfair_monitor_transactions_total\{call="commit",status="success"\} 1/)
  const { calendar, client, provider, addresses } = world.market
  const period = calendar.periodAt(Number((await client.getBlock()).timestamp)) - 1
  const ask = async () => (await fetch(`${url}/v1/reports/${period}`)).text()
  const first = await ask()
  world.monitors[0]?.observations.put({
    ...{ epoch: calendar.firstEpoch(period) + 9, provider: lowerCaseAddress(provider.address), nodeId: 9n, orderId: 9n },
    ...{ market: lowerCaseAddress(addresses.market), isUp: false, attestation: undefined },
  })
  expect(await ask()).toBe(first)
  expect((await fetch(`${url}/v1/reports/x`)).status).toBe(404)
})

it('slashes two of three monitors that report down what they acknowledged, and recounts without them', async () => {
  const { market, monitors } = world
  const { client, contract, findings, addresses, calendar } = market
  const [orderId = 0n] = agent.orderIds
  const before = await getOrder(client, addresses, orderId)
  const period = await world.nextPeriod()
  const epoch = calendar.firstEpoch(period) + 1
  await world.at(calendar.startOf(period) + calendar.epochSeconds + 10)
  for (const monitor of monitors) await monitor.observe()
  for (const { file } of monitors.slice(0, 2)) {
    const liar = new DatabaseSync(file)
    expect(liar.prepare('UPDATE observation SET isUp = 0 WHERE epoch = ?').run(epoch).changes).toBe(1)
    liar.close()
  }
  const end = calendar.endOf(period)
  for (const time of [end + 200, end + HOUR + 10, end + 2 * HOUR + 10]) {
    await world.at(time)
    for (const monitor of monitors) await monitor.report()
  }
  const key = { address: contract, abi: monitorsAbi } as const
  const finding = () =>
    client.readContract({
      ...{ address: findings, abi: findingsAbi, functionName: 'findingOf' },
      args: [addresses.market, orderId, BigInt(period)],
    })
  expect((await finding()).down).toBe(0b10n)

  const uptime = async (...flags: string[]) => {
    const { code, stdout, json } = await runAgent<Inspected>(market, agent, ['uptime', String(orderId), ...flags])
    expect({ code, stdout }).toMatchObject({ code: 0 })
    return json
  }
  const liars = monitors
    .slice(0, 2)
    .map(({ address }) => ({ monitor: lowerCaseAddress(address), period, epoch }))
    .sort((one, other) => (one.monitor < other.monitor ? -1 : 1))
  const looked = await uptime()
  expect(looked.kept).toHaveLength(3)
  expect(looked).toMatchObject({ contradictions: liars, proved: [] })
  const bondsOf = (accounts: readonly Address[]) =>
    Promise.all(accounts.map(async (one) => (await client.readContract({ ...key, functionName: 'monitorOf', args: [one] })).bond))
  expect(await bondsOf(liars.map(({ monitor }) => monitor))).toEqual([BOND, BOND])
  const wordsOn = async (count: number) => {
    const evidence = await platform.evidence(
      orderId,
      ({ periods }) => periods.find((one) => one.period === period)?.votes.length === count,
    )
    return evidence.periods.find((one) => one.period === period)?.votes.map((vote) => vote.monitor)
  }
  expect(await wordsOn(3)).toHaveLength(3)
  const earned = await creditOf(agent.operator.address)
  expect((await uptime('--dispute')).proved).toHaveLength(2)
  expect((await creditOf(agent.operator.address)) - earned).toBe(BOND / 20n)
  expect(await bondsOf(liars.map(({ monitor }) => monitor))).toEqual([(BOND * 19n) / 20n, (BOND * 19n) / 20n])
  expect(await uptime('--dispute')).toMatchObject({ contradictions: [], proved: [] })
  expect(await wordsOn(1)).toEqual([lowerCaseAddress(monitors[2]?.address ?? '')])

  await world.at(end + 6 * HOUR + 20)
  await market.send(market.stranger, 'finish', [addresses.market, orderId, BigInt(period)])
  expect((await finding()).finalAt).toBe(0)
  expect((await getOrder(client, addresses, orderId)).down).toBe(before.down)
})

/** Observes one epoch of a period as `account`, brings it to the chain, shows the sample that is drawn, and returns the pay for it. */
async function workAPeriod(account: LocalAccount, file: string): Promise<bigint> {
  const { client, contract, findings, addresses, calendar, rpcUrl } = world.market
  const observations = openObservations(file, calendar)
  let clock = Number((await client.getBlock()).timestamp)
  const monitor = createMonitor({
    ...{ account, signer: account, client, addresses, observations, calendar, now: () => clock, chainId: 2985 },
    ...{ monitors: contract, findings, schedule: world.schedule, metrics: createMetrics(), log: pino({ level: 'silent' }) },
    writer: createWalletClient({ account, transport: http(rpcUrl) }),
  })
  const step = async (name: 'observe' | 'report', time: number) => {
    clock = time
    await world.at(time)
    await monitor[name]()
  }
  const period = await world.nextPeriod()
  await step('observe', calendar.startOf(period) + 10)
  for (const time of [200, HOUR + 10]) await step('report', calendar.endOf(period) + time)
  const read = { address: contract, abi: monitorsAbi } as const
  const [pool, { length }] = await Promise.all([
    client.readContract({ ...read, functionName: 'pool' }),
    client.readContract({ ...read, functionName: 'monitors' }),
  ])
  const earned = () => client.readContract({ ...read, functionName: 'earned', args: [account.address] })
  expect(await earned()).toBe(0n)
  // The next commitment names the block that draws the sample.
  for (let second = 200; second < 208; second += 1) await step('report', calendar.endOf(period + 1) + second)
  observations.close()
  expect(await earned()).toBe(monitorPayWei(pool, length))
  expect(await earned()).toBeGreaterThan(0n)
  return earned()
}

it('joins, publishes, is paid, resigns and leaves by the commands of the guide', async () => {
  const { market } = world
  const guide = readFileSync(new URL('../../../docs/guides/en/monitors.md', import.meta.url), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-guide-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  // Without the service, whose commands need root; scripts/test/units.test.ts checks its files.
  const lines = [...guide.matchAll(/^```\n([\s\S]*?)^```$/gm)]
    .flatMap(([, block = '']) => block.trim().split('\n'))
    .filter((line) => !/^(install|systemctl) /.test(line))
  const [makeKey = '', ...commands] = lines.map((line) =>
    line
      .replace('https://rpc.example', market.rpcUrl)
      .replace('0x…', market.addresses.access)
      .replace('/var/lib/monitor', join(folder, 'data'))
      .replace('https://monitor.example', `${url} --port ${port}`)
      .replaceAll('monitor.key', join(folder, 'monitor.key')),
  )
  const cwd = fileURLToPath(new URL('../../..', import.meta.url))
  const run = (command: string) => promisify(execFile)('sh', ['-c', command], { cwd })
  expect(commands).toHaveLength(6)
  const [address = '', join_ = '', start = '', claim = '', resign = '', withdraw = ''] = commands
  try {
    await run(makeKey)
    const account = (await run(address)).stdout.trim() as `0x${string}`
    await market.fund(account)
    await run(join_)
    const running = spawn('sh', ['-c', `exec ${start}`], { cwd, stdio: 'ignore' })
    const ended = new Promise((resolve) => running.once('exit', resolve))
    await expect
      .poll(
        () =>
          fetch(`${url}/healthz`).then(
            ({ ok }) => ok,
            () => false,
          ),
        { timeout: 60_000 },
      )
      .toBe(true)
    const known = () => readMonitorUrls(market.client, market.contract, 2985)
    await expect.poll(known, { timeout: 60_000 }).toContainEqual({ monitor: lowerCaseAddress(account), url })
    running.kill('SIGTERM')
    expect(await ended).toBe(0)
    await market.fund(market.contract)
    const monitor = privateKeyToAccount(readFileSync(join(folder, 'monitor.key'), 'utf8').trim() as Hex)
    const paid = await workAPeriod(monitor, join(folder, 'own.sqlite'))
    await run(claim)
    expect(await creditOf(account)).toBe(paid)
    await run(resign)
    const { timestamp } = await market.client.getBlock()
    expect((await run(withdraw).catch((error: { stdout: string }) => error)).stdout).toContain('the bond can be taken back from ')
    await world.at(Number(timestamp) + 15 * 86_400)
    await run(withdraw)
    expect(await known()).not.toContainEqual(expect.objectContaining({ monitor: account }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it('ends an order with the refund of its downtime paid to the buyer, who did nothing for it', async () => {
  const { market } = world
  const [orderId = 0n] = agent.orderIds
  const order = await getOrder(market.client, market.addresses, orderId)
  const { activateTime, duration, holdback, rate, totalValue, reportedUntil } = order
  const price = totalValue - accruedWei(rate, duration - 600)
  const twice = accruedWei(rate, 600 - allowedDowntime(reportedUntil - activateTime))
  expect(twice).toBeGreaterThan(0n)
  const before = await creditOf(market.user.address)
  await world.at(activateTime + duration + holdback)
  // The provider withdraws what it earned, which closes the order.
  const withdrawn = await runAgent(market, agent, ['withdraw'])
  expect(withdrawn).toMatchObject({ code: 0 })
  expect((await creditOf(market.user.address)) - before).toBe(price + twice)

  const { spans, totals } = await platform.receipt(orderId, ({ order }) => order.closeTime > 0)
  expect(totals).toMatchObject({ refunded: String(price), compensated: String(twice), escrow: '0' })
  const down = spans.filter(({ kind }) => kind === 'down')
  expect(down.map(({ from, until, agreed, back }) => [until - from, agreed, back])).toEqual([[600, 3, String(price)]])
  expect(spans.reduce((sum, { from, until }) => sum + until - from, 0)).toBe(duration)
})

it('issues a receipt that anyone can verify, and that names any change made to it', async () => {
  const { client, addresses } = world.market
  const [orderId = 0n] = agent.orderIds
  const receipt = await platform.receipt(orderId, ({ order }) => order.closeTime > 0)
  const evidence = await platform.evidence(orderId)
  const { agrees, checks } = await verifyReceipt(client, addresses.access, receipt, evidence)
  expect(checks.flatMap(({ differences }) => differences)).toEqual([])
  expect(agrees).toBe(true)
  expect(checks.map(({ part }) => part)).toEqual(['order', 'money', 'time', 'downtime'])
  expect(checks.every(({ compared }) => compared > 4)).toBe(true)

  const down = receipt.spans.findIndex(({ kind }) => kind === 'down')
  const settled = receipt.lines.findIndex(({ event }) => event === 'OrderSettled')
  const less = (text: string) => String(BigInt(text) - 1n)
  /** Receipts and evidence with one error each, and where it must be found. */
  const wrong: [change: (one: typeof receipt, proofs: typeof evidence) => void, part: string, row: number | undefined][] = [
    [({ order }) => (order.p.pCPU = less(order.p.pCPU)), 'order', undefined],
    [({ lines }) => ((lines[settled] as (typeof lines)[number]).earned = less(lines[settled]?.earned ?? '0')), 'money', settled],
    [({ lines }) => lines.splice(settled, 1), 'money', undefined],
    [({ totals }) => (totals.refunded = less(totals.refunded)), 'money', undefined],
    [({ spans }) => ((spans[down] as (typeof spans)[number]).kind = 'paid'), 'time', down],
    [({ spans }) => ((spans[down] as (typeof spans)[number]).until -= 1), 'time', down],
    [(_, { periods }) => periods.splice(0, periods.length), 'downtime', undefined],
    [(_, { periods }) => (periods.find(({ votes }) => votes.length > 2)?.votes ?? []).splice(1), 'downtime', undefined],
    [
      (_, { periods }) => {
        for (const vote of periods.flatMap(({ votes }) => votes)) vote.down = '0x0'
      },
      'downtime',
      undefined,
    ],
  ]
  for (const [change, part, row] of wrong) {
    const [one, proofs] = structuredClone([receipt, evidence] as const)
    change(one, proofs)
    const verdict = await verifyReceipt(client, addresses.access, one, proofs)
    expect(verdict.agrees).toBe(false)
    const found = verdict.checks.find((check) => check.part === part)?.differences ?? []
    expect({ part, rows: found.map((difference) => difference.row) }).toEqual({ part, rows: expect.arrayContaining([row]) })
  }
})
