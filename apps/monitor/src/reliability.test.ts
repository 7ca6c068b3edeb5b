import { execFile } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { ReliabilityAnswer } from '@rackfair/protocol/reliability'
import type { OrderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Follower, followMarket } from './testing/followMarket.ts'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'

const HOUR = 3600
const BOOTSTRAP = fileURLToPath(new URL('../../../scripts/bootstrap.mjs', import.meta.url))

let world: MonitoredAgents
let agent: SimulatedAgent
let platform: Follower
let orderId: bigint
beforeAll(async () => {
  world = await setupMonitoredAgents({ monitors: 3 })
  agent = world.agents[0] as SimulatedAgent
  orderId = agent.orderIds[0] ?? 0n
  platform = await followMarket(world.market.chain)
  const { calendar } = world.market
  const period = await world.nextPeriod()
  const all = async (time: number, step: 'observe' | 'report') => {
    await world.at(time)
    for (const monitor of world.monitors) await monitor[step]()
  }
  for (let epoch = 0; epoch < 6; epoch += 1) {
    if (epoch === 2) await agent.side.close()
    if (epoch === 4) await agent.side.open()
    await all(calendar.startOf(period) + epoch * calendar.epochSeconds + 10, 'observe')
  }
  const end = calendar.endOf(period)
  for (const since of [200, HOUR + 10, 2 * HOUR + 10, 6 * HOUR + 20]) await all(end + since, 'report')
  await platform.reliability(
    agent.provider.address,
    1,
    ({ reliability }) => reliability?.outages === 1 && reliability.seenDays > 0,
  )
  await platform.evidence(orderId, ({ periods: [one] }) => one?.votes.length === 3)
})
afterAll(async () => {
  await platform?.stop()
  await world?.stop()
})

it('recomputes the reliability of a machine and of a provider with one command', async () => {
  for (const machine of [`${agent.provider.address}/1`, agent.provider.address]) {
    const { code, stdout } = await reliability([machine, '--monitors', '--json'], platform.url)
    expect(code).toBe(0)
    const { said, found, ...rest } = JSON.parse(stdout)
    expect(rest).toMatchObject({ agrees: true, orders: 1, refused: 0, withheld: 0 })
    // If midnight lies between the outage and the query, everything weighs 0.2 % less.
    expect(found.failures).toBeCloseTo(2, 2)
    // Six epochs of five minutes, counted by half as this market takes no commission.
    expect(found.observedDays).toBeCloseTo(10 + 3 / 288, 4)
    expect(said.observedDays).toBeCloseTo(found.observedDays, 5)
  }
  const { stdout } = await reliability([`${agent.provider.address}/1`], platform.url)
  expect(stdout).toMatch(/no outage in 30 days +6\.2\d % +6\.2\d %\n[\s\S]*follows from the chain/)
})

it('detects an invented figure, forged evidence and withheld evidence', async () => {
  const machine = `${agent.provider.address}/1`
  const prettier = await lyingPlatform({ reliability: (answer) => Object.assign(answer.reliability ?? {}, { failures: 1 }) })
  expect(await reliability([machine], prettier.url)).toMatchObject({
    code: 7,
    stdout: expect.stringContaining('does not follow'),
  })
  await prettier.stop()

  const forger = await lyingPlatform({
    reliability: (answer) => Object.assign(answer.reliability ?? {}, { observedDays: 10 + 48 / 288 }),
    evidence: ({ periods }) => {
      for (const vote of periods.flatMap(({ votes }) => votes)) vote.observed = `0x${'f'.repeat(24)}`
    },
  })
  const forged = await reliability([machine, '--json'], forger.url)
  expect(forged.code).toBe(7)
  expect(JSON.parse(forged.stdout)).toMatchObject({ agrees: false, refused: 3 })
  await forger.stop()

  // If the platform withholds all reports, its figure matches its evidence: only the monitors have what is missing.
  const silent = await lyingPlatform({
    reliability: (answer) => Object.assign(answer.reliability ?? {}, { observedDays: 10 }),
    evidence: (answer) => {
      answer.periods = []
    },
  })
  expect((await reliability([machine], silent.url)).code).toBe(0)
  const asked = await reliability([machine, '--monitors', '--json'], silent.url)
  expect(asked.code).toBe(7)
  expect(JSON.parse(asked.stdout)).toMatchObject({ agrees: false, withheld: 3 })
  await silent.stop()
})

it.each([
  [2, ['0x12'], 'is neither PROVIDER/NODE'],
  [2, [`0x${'1'.repeat(40)}/0`], 'is neither PROVIDER/NODE'],
  [2, [], "missing required argument 'machine'"],
  [4, [`0x${'1'.repeat(40)}/1`], 'not_found'],
  [4, [`0x${'1'.repeat(40)}`], 'not_found'],
] as const)('exits with %i on %j', async (code, args, said) => {
  expect(await reliability(args, platform.url)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(said) })
})

it('tells whether the platform or the chain does not respond', async () => {
  const machine = `${agent.provider.address}/1`
  const gone = 'http://127.0.0.1:9'
  expect(await reliability([machine], gone)).toMatchObject({ code: 5, stderr: expect.stringContaining('platform_unreachable') })
  expect(await reliability([machine, '--rpc', gone], platform.url)).toMatchObject({
    ...{ code: 5, stderr: expect.stringContaining('rpc_unreachable') },
  })
})

/** Runs `npm run tool -- reliability`. */
function reliability(args: readonly string[], url: string): Promise<{ code: number; stdout: string; stderr: string }> {
  const { chain, rpcUrl } = world.market
  const where = ['--platform', url, '--access', chain.deployment.access]
  const words = [BOOTSTRAP, 'exec', 'reliability', ...args, ...where, ...(args.includes('--rpc') ? [] : ['--rpc', rpcUrl])]
  return new Promise((resolve) => {
    execFile(process.execPath, words, (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }))
  })
}

/** Proxies the platform, with these answers changed. */
async function lyingPlatform(lie: {
  reliability: (answer: ReliabilityAnswer) => void
  evidence?: (answer: OrderEvidenceAnswer) => void
}) {
  const server = createServer((request, response) => {
    void fetch(`${platform.url}${request.url}`).then(async (answer) => {
      const body = await answer.json()
      if (request.url?.endsWith('/reliability')) lie.reliability(body as ReliabilityAnswer)
      if (request.url?.endsWith('/evidence')) lie.evidence?.(body as OrderEvidenceAnswer)
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  }
}
