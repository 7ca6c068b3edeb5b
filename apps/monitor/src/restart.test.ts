import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { monitorsAbi } from '@rackfair/contracts'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { findContradictions } from '@rackfair/sdk/uptime'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { openObservations } from './openObservations.ts'
import type { Order } from './testing/monitorProcess.ts'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'
import { startKillable } from './testing/startKillable.ts'

const ATTESTATION = '/.rackfair/attestation'
const ACKNOWLEDGEMENT = '/.rackfair/acknowledgement'
const BOND = 1_000n * ONE_CREDIT_WEI

let world: MonitoredAgents
let agent: SimulatedAgent
beforeAll(async () => {
  world = await setupMonitoredAgents({ monitors: 3 })
  agent = world.agents[0] as SimulatedAgent
})
afterAll(() => world?.stop())

it('leaves the bond to a monitor that is restarted within an epoch, by an agent that answers only once an epoch', async () => {
  const { client, calendar, contract, findings } = world.market
  const [orderId = 0n] = agent.orderIds
  const period = await world.nextPeriod()
  await world.at(calendar.startOf(period) + 10)
  for (const one of world.monitors) await one.observe()
  await world.at(calendar.startOf(period) + 70)
  await agent.side.close()
  await world.restart(0)
  await world.monitors[0]?.observe()
  await agent.side.open()
  expect(world.monitors[0]?.observations.reports(period)).toMatchObject([{ observed: 1n, down: 0n }])
  // From the next epoch on it sees again what is down.
  await agent.side.close()
  await world.at(calendar.startOf(period) + calendar.epochSeconds + 10)
  for (const one of world.monitors) await one.observe()
  await agent.side.open()
  expect(world.monitors[0]?.observations.reports(period)).toMatchObject([{ observed: 3n, down: 2n }])

  for (const time of [calendar.endOf(period) + 200, calendar.endOf(period) + calendar.windowSeconds + 200]) {
    await world.at(time)
    for (const one of world.monitors) await one.report()
  }
  const words = agent.side.evidence.ofOrder(orderId, 0, Number.MAX_SAFE_INTEGER)
  expect(words).toHaveLength(world.monitors.length)
  expect(await findContradictions({ client, monitors: contract, findings, calendar, chainId: 2985 }, words)).toEqual([])
  const account = world.monitors[0]?.address as `0x${string}`
  const { bond } = await client.readContract({ address: contract, abi: monitorsAbi, functionName: 'monitorOf', args: [account] })
  expect(bond).toBe(BOND)
})

it('signs with the key that it named last, and answers for what the one before signed', async () => {
  const { client, calendar, contract, findings, send } = world.market
  const [orderId = 0n] = agent.orderIds
  const [first] = world.monitors
  if (!first) throw new Error('no monitor')
  const period = await world.nextPeriod()
  await world.at(calendar.startOf(period) + 10)
  await first.observe()
  const key = privateKeyToAccount(generatePrivateKey())
  await send(first.account, 'nameKey', [key.address])
  await world.restart(0, key)
  await world.at(calendar.startOf(period) + calendar.epochSeconds + 10)
  await world.monitors[0]?.observe()
  const words = agent.side.evidence.ofOrder(orderId, calendar.firstEpoch(period), Number.MAX_SAFE_INTEGER)
  expect(words).toHaveLength(2)

  // It reports both as down.
  const liar = new DatabaseSync(first.file)
  expect(liar.prepare('UPDATE observation SET isUp = 0 WHERE epoch >= ?').run(calendar.firstEpoch(period)).changes).toBe(2)
  liar.close()
  for (const time of [calendar.endOf(period) + 200, calendar.endOf(period) + calendar.windowSeconds + 200]) {
    await world.at(time)
    await world.monitors[0]?.report()
  }
  const found = await findContradictions({ client, monitors: contract, findings, calendar, chainId: 2985 }, words)
  expect(found).toHaveLength(2)
  for (const { args } of found) await send(world.market.stranger, 'proveContradiction', args)
  const { bond } = await client.readContract({
    ...{ address: contract, abi: monitorsAbi, functionName: 'monitorOf' },
    args: [first.account.address],
  })
  expect(bond).toBe((BOND * 19n * 9n) / 200n)
})

/** When the monitor is killed, and whether the epoch is reported: only what was on disk was acknowledged. */
const INSTANTS: [name: string, diesAt: Order['diesAt'], killedBy: string | undefined, isObserved: boolean][] = [
  ['while the agent answers', undefined, ATTESTATION, false],
  ['before it stores the answer', 'beforeWrite', undefined, false],
  ['after it stored the answer, before it acknowledges', 'afterWrite', undefined, true],
  ['while it acknowledges', undefined, ACKNOWLEDGEMENT, true],
]

it('never contradicts what it acknowledged, at whatever instant it is killed while agents answer once an epoch', async () => {
  const { calendar, chain, rpcUrl } = world.market
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-restart-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const key = generatePrivateKey()
  const account = privateKeyToAccount(key)
  await world.market.join(account)
  const file = join(folder, 'monitor.sqlite')
  const monitor = startKillable('monitorProcess', [rpcUrl, chain.deployment.access, key, file])
  onTestFinished(() => monitor.kill())
  onTestFinished(() => {
    agent.side.insteadOfAnswer = undefined
  })

  const period = await world.nextPeriod()
  await world.at(calendar.startOf(period) - 10)
  await monitor.tell({ step: 'observe', now: calendar.startOf(period) - 10 })
  let answered = 0
  let killedBy: string | undefined
  agent.side.insteadOfAnswer = async (path) => {
    if (path === killedBy) await monitor.kill()
    if (path === ATTESTATION) answered += 1
    return path === ATTESTATION && answered > 1 ? 'cut' : undefined
  }
  for (const [epoch, [, diesAt, by]] of INSTANTS.entries()) {
    const now = calendar.startOf(period) + epoch * calendar.epochSeconds + 10
    await world.at(now)
    answered = 0
    killedBy = by
    await monitor.dies({ step: 'observe', now, diesAt })
    killedBy = undefined
    await world.at(now + 60)
    await monitor.tell({ step: 'observe', now: now + 60 })
  }
  // The restarted program still sees an agent that is gone.
  const down = calendar.startOf(period) + INSTANTS.length * calendar.epochSeconds + 10
  await world.at(down)
  agent.side.insteadOfAnswer = () => 'cut'
  await monitor.tell({ step: 'observe', now: down })

  const observations = openObservations(file, calendar)
  onTestFinished(() => observations.close())
  const [report] = observations.reports(period)
  const seen = INSTANTS.reduce((bits, [, , , isObserved], epoch) => (isObserved ? bits | (1n << BigInt(epoch)) : bits), 0n)
  const gone = 1n << BigInt(INSTANTS.length)
  expect(report).toMatchObject({ observed: seen | gone, down: gone })
  const acknowledged = agent.side.evidence
    .ofOrder(agent.orderIds[0] ?? 0n, calendar.firstEpoch(period), Number.MAX_SAFE_INTEGER)
    .filter((one) => one.monitor === lowerCaseAddress(account.address))
  for (const { epoch } of acknowledged) expect(seen & (1n << BigInt(epoch - calendar.firstEpoch(period)))).not.toBe(0n)
})

it('keeps a node up in an epoch in which it was seen up, whatever comes later', async () => {
  const { calendar, addresses, provider } = world.market
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-restart-'))
  const observations = openObservations(join(folder, 'observations.sqlite'), calendar)
  onTestFinished(() => {
    observations.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const period = await world.nextPeriod()
  const facts = {
    ...{ epoch: calendar.firstEpoch(period), provider: lowerCaseAddress(provider.address), nodeId: 1n, orderId: 1n },
    ...{ market: lowerCaseAddress(addresses.market), attestation: undefined },
  }
  expect(observations.put({ ...facts, isUp: false })).toBe(true)
  expect(observations.put({ ...facts, isUp: true })).toBe(true)
  expect(observations.put({ ...facts, isUp: false })).toBe(false)
  expect(observations.put({ ...facts, isUp: false, orderId: 2n })).toBe(false)
  expect(observations.reports(period)).toMatchObject([{ orderId: 1n, observed: 1n, down: 0n }])
  observations.putReport(period, `0x${'0'.repeat(64)}`, `0x${'0'.repeat(64)}`)
  // Nothing may be acknowledged that is not reported.
  expect(observations.put({ ...facts, nodeId: 2n, isUp: true })).toBe(false)
})
