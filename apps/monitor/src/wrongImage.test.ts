import { findingsAbi } from '@rackfair/contracts'
import { getOrder } from '@rackfair/sdk'
import { checkImage } from '@rackfair/sdk/uptime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPromises } from '../../agent/src/uptime/createPromises.ts'
import { createKnownMonitors } from '../../agent/src/uptime/knownMonitors.ts'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'

const HOUR = 3600
const PROMISED = 'aa'.repeat(32)
const OTHER = 'bb'.repeat(32)
/** The running deployment and image in each epoch. */
const RAN = [
  ['d1', PROMISED],
  ['d1', OTHER],
  ['d1', OTHER],
  // The promise was made for another deployment.
  ['d2', OTHER],
  ['d1', PROMISED],
] as const

let world: MonitoredAgents
beforeAll(async () => {
  world = await setupMonitoredAgents({ monitors: 3 })
})
afterAll(() => world.stop())

const promiseOf = (agent: SimulatedAgent, deploymentId: string, imageId: string) => {
  const { client, addresses } = world.market
  const monitors = createKnownMonitors({ client, addresses }, () => Number.MAX_SAFE_INTEGER)
  const sign = createPromises({ account: agent.operator, chainId: 2985, monitors })
  return sign({ market: addresses.market, orderId: agent.orderIds[0] ?? 0n, deploymentId, spec: '2', imageId })
}

const findingOf = (period: number) => {
  const { client, addresses, findings, orderIds } = world.market
  const args = [addresses.market, orderIds[0] ?? 0n, BigInt(period)] as const
  return client.readContract({ address: findings, abi: findingsAbi, functionName: 'findingOf', args })
}

it('proves to the contract that another image ran than promised, and the buyer is paid', async () => {
  const { client, addresses, calendar } = world.market
  const agent = world.agents[0] as SimulatedAgent
  const [orderId = 0n] = agent.orderIds
  const period = await world.nextPeriod()
  const at = calendar.startOf(period)
  for (const [epoch, [deploymentId, imageId]] of RAN.entries()) {
    await world.at(at + epoch * calendar.epochSeconds + 10)
    // From the second epoch on, the agent promises what it is running: the first promise counts.
    const promise = await promiseOf(agent, deploymentId, epoch === 0 ? PROMISED : imageId)
    agent.nodes[0] = { orderId, market: addresses.market, healthy: true, runs: { deploymentId, imageId, promise } }
    for (const monitor of world.monitors) await monitor.observe()
    // Stored promises survive a restart.
    if (epoch === 1) await world.restart(0)
  }
  const end = calendar.endOf(period)
  for (const time of [end + 200, end + HOUR + 10, end + 2 * HOUR + 10, end + 7 * HOUR]) {
    await world.at(time)
    for (const monitor of world.monitors) await monitor.report()
  }

  expect(await findingOf(period)).toMatchObject({ proven: 0b110n, down: 0n, counted: true })
  expect((await getOrder(client, addresses, orderId)).down).toBe(2 * calendar.epochSeconds)
})

it('lets a buyer prove a wrong image if the provider withholds the promise from monitors', async () => {
  const { client, addresses, calendar, stranger, call } = world.market
  const agent = world.agents[0] as SimulatedAgent
  const [orderId = 0n] = agent.orderIds
  const period = await world.nextPeriod()
  const promise = await promiseOf(agent, 'd3', PROMISED)
  if (!promise) throw new Error('nothing was promised')
  for (const [epoch, imageId] of [PROMISED, OTHER, OTHER].entries()) {
    await world.at(calendar.startOf(period) + epoch * calendar.epochSeconds + 10)
    agent.nodes[0] = {
      orderId,
      market: addresses.market,
      healthy: true,
      runs: { deploymentId: 'd3', imageId, promise: undefined },
    }
    for (const monitor of world.monitors) await monitor.observe()
  }
  const chain = { client, addresses, chainId: 2985 }
  await world.at(calendar.endOf(period) + 10)
  // Not before all monitors have committed to their reports.
  expect(await checkImage(chain, orderId, promise)).toEqual({ asPromised: 0, otherwise: 0, proofs: [] })
  await world.at(calendar.endOf(period) + HOUR + 10)
  const { asPromised, otherwise, proofs } = await checkImage(chain, orderId, promise)
  expect({ asPromised, otherwise }).toEqual({ asPromised: 1, otherwise: 2 })
  const [proof] = proofs
  if (!proof) throw new Error('nothing is proved')
  await call(stranger, proof as never)
  expect(await findingOf(period)).toMatchObject({ proven: 0b110n })

  const forged = { ...promise, image: `0x${OTHER}` }
  await expect(checkImage(chain, orderId, forged)).rejects.toMatchObject({ code: 'signature_invalid' })
})
