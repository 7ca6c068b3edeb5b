import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorsAbi } from '@rackfair/contracts'
import { monitorPayWei } from '@rackfair/rules/uptime/monitorPay'
import { getOrder } from '@rackfair/sdk'
import { whyItRests } from '@rackfair/testkit'
import { type Address, bytesToHex, createTestClient, type HDAccount, http, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, it } from 'vitest'
import { openEvidence } from '../../agent/src/uptime/openEvidence.ts'
import { openObservations } from './openObservations.ts'
import { createRandom } from './testing/createRandom.ts'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'
import { startKillable } from './testing/startKillable.ts'

const HOUR = 3600
const DEEP = process.env.RACKFAIR_DEEP === '1'
const EPOCHS = DEEP ? 60 : 6
/** Typical duration of a step here: a kill comes before, during or after it. */
const STEP_MS = 150
const reason = whyItRests('monitor killed')
const seed = Number(process.env.RACKFAIR_SEED ?? Math.floor(Math.random() * 2 ** 31))

const TITLE = `contradicts no evidence after kill -9 of a monitor and an agent, and pays to the second what both monitors saw down (${reason ?? `seed ${seed}`})`
it.skipIf(reason)(TITLE, { timeout: DEEP ? 1_800_000 : 300_000 }, async () => {
  const random = createRandom(seed)
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-kills-'))
  const world = await setupMonitoredAgents({ monitors: 1 })
  const { client, addresses, calendar, rpcUrl, chain } = world.market
  const agent = world.agents[0] as SimulatedAgent
  const [orderId = 0n] = agent.orderIds
  await agent.side.close()
  const key = generatePrivateKey()
  await world.market.join(privateKeyToAccount(key))
  const files = { monitor: join(folder, 'monitor.sqlite'), agent: join(folder, 'evidence.sqlite') }
  const operatorKey = bytesToHex((agent.operator as HDAccount).getHdKey().privateKey ?? new Uint8Array())
  const { access } = chain.deployment
  const monitor = startKillable('monitorProcess', [rpcUrl, access, key, files.monitor])
  const agentArgs = [rpcUrl, access, operatorKey, agent.provider.address, String(agent.port), files.agent, String(orderId)]
  const answering = startKillable('agentProcess', agentArgs)
  const maybe = () => (random() < 0.6 ? Math.floor(random() * STEP_MS) : undefined)
  const words = () => {
    const evidence = openEvidence(files.agent)
    const kept = evidence.ofOrder(orderId, 0, 2 ** 40)
    evidence.close()
    return kept.map(({ epoch, monitor: one }) => `${epoch} ${one}`)
  }
  try {
    const period = await world.nextPeriod()
    const [witness] = world.monitors
    // Down in every third epoch: the agent is killed before it is probed.
    const downs = Array.from({ length: EPOCHS }, (_, epoch) => epoch % 3 === 1)
    let known: string[] = []
    await world.at(calendar.startOf(period) - 10)
    await monitor.tell({ step: 'observe', now: calendar.startOf(period) - 10 })
    /** The epochs in which the monitor was not killed: those it has to report. */
    let undisturbed = 0n
    for (const [epoch, isDown] of downs.entries()) {
      const now = calendar.startOf(period) + epoch * calendar.epochSeconds + 10
      await world.at(now)
      if (isDown) await answering.kill()
      else await answering.tell(now)
      await witness?.observe()
      const killAfterMs = maybe()
      await monitor.tell({ step: 'observe', now }, killAfterMs)
      if (killAfterMs === undefined) undisturbed |= 1n << BigInt(epoch)
      // It runs again before the next epoch begins.
      else await monitor.tell({ step: 'observe', now: now + 60 })
      if (!isDown && random() < 0.5) await answering.kill()
      const kept = words()
      expect(kept).toEqual(expect.arrayContaining(known))
      const ofEpoch = kept.filter((one) => one.startsWith(`${calendar.firstEpoch(period) + epoch} `))
      if (isDown) expect(ofEpoch).toEqual([])
      else if (killAfterMs === undefined) expect(ofEpoch).toHaveLength(2)
      known = kept
    }
    const bits = downs.reduce((sum, isDown, epoch) => (isDown ? sum | (1n << BigInt(epoch)) : sum), 0n)
    const end = calendar.endOf(period)
    for (const time of [end + 200, end + HOUR + 10, end + 2 * HOUR + 10, end + 7 * HOUR]) {
      await world.at(time)
      await witness?.report()
      await monitor.tell({ step: 'report', now: time }, maybe())
    }
    const observations = openObservations(files.monitor, calendar)
    const [reported] = observations.reports(period)
    const { observed = 0n, down = 0n } = reported ?? {}
    // An epoch in which it was killed may be missing, and nothing else; what it reports is what was.
    expect({ missing: undisturbed & ~observed, down }).toEqual({ missing: 0n, down: bits & observed })
    expect(await rootOf(world, privateKeyToAccount(key).address, period)).toBe(observations.report(period)?.root)
    observations.close()
    const agreed = down.toString(2).replaceAll('0', '').length
    expect((await getOrder(client, addresses, orderId)).down).toBe(agreed * calendar.epochSeconds)
    expect(monitor.kills + answering.kills).toBeGreaterThan(1)
    if (DEEP) console.info(`${monitor.kills} kills of the monitor, ${answering.kills} of the agent, nothing lost`)
  } finally {
    await monitor.kill()
    await answering.kill()
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

it('commits and reveals again after the chain has lost both', async () => {
  const world = await setupMonitoredAgents({ monitors: 1 })
  const { calendar } = world.market
  const [monitor] = world.monitors
  const anvil = createTestClient({ mode: 'anvil', transport: http(world.market.rpcUrl) })
  try {
    const period = await world.nextPeriod()
    await world.at(calendar.startOf(period) + 10)
    await monitor?.observe()
    const end = calendar.endOf(period)
    for (const time of [end + 200, end + HOUR + 10]) {
      await world.at(time)
      const before = await anvil.snapshot()
      await monitor?.report()
      await anvil.revert({ id: before })
      await monitor?.report()
    }
    expect(await rootOf(world, monitor?.address, period)).toBe(monitor?.observations.report(period)?.root)
  } finally {
    await world.stop()
  }
})

it('is paid once for what it revealed before it was killed, though the operator that signed is gone', async () => {
  const world = await setupMonitoredAgents({ monitors: 1 })
  const { calendar, client, contract, fund } = world.market
  const read = { address: contract, abi: monitorsAbi } as const
  try {
    await fund(contract)
    const period = await world.nextPeriod()
    await world.at(calendar.startOf(period) + 10)
    await world.monitors[0]?.observe()
    for (const time of [200, HOUR + 10]) {
      await world.at(calendar.endOf(period) + time)
      await world.monitors[0]?.report()
    }
    await world.agents[0]?.side.close()
    const pool = await client.readContract({ ...read, functionName: 'pool' })
    const account = world.monitors[0]?.address ?? zeroAddress
    const earned = () => client.readContract({ ...read, functionName: 'earned', args: [account] })
    expect(await earned()).toBe(0n)
    // The commitment names the block that draws the sample. It is killed before it, and before it has earned.
    for (let second = 200; second < 210; second += 1) {
      if (second % 5 === 0) await world.restart(0)
      await world.at(calendar.endOf(period + 1) + second)
      await world.monitors[0]?.report()
    }
    expect(await earned()).toBe(monitorPayWei(pool, 1))
  } finally {
    await world.stop()
  }
})

const rootOf = ({ market }: MonitoredAgents, monitor: Address = zeroAddress, period: number) =>
  market.client.readContract({
    ...{ address: market.contract, abi: monitorsAbi, functionName: 'rootOf' },
    args: [monitor, BigInt(period)],
  })
