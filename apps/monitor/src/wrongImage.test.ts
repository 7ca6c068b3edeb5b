import { monitorsAbi } from '@rackfair/contracts'
import { getOrder } from '@rackfair/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createPromises } from '../../agent/src/uptime/createPromises.ts'
import { createKnownMonitors } from '../../agent/src/uptime/knownMonitors.ts'
import { type MonitoredAgents, type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'

const HOUR = 3600
const PROMISED = 'aa'.repeat(32)
const OTHER = 'bb'.repeat(32)
/** What ran in each epoch: deployment and image. */
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

it('proves to the contract that another image ran than was promised, and the buyer is paid for it', async () => {
  const { client, addresses, calendar, contract } = world.market
  const agent = world.agents[0] as SimulatedAgent
  const [orderId = 0n] = agent.orderIds
  const period = calendar.periodAt(Number((await client.getBlock()).timestamp)) + 1
  const at = calendar.startOf(period)
  const sign = createPromises({
    account: agent.operator,
    chainId: 2985,
    monitors: createKnownMonitors({ client, addresses }, () => Number.MAX_SAFE_INTEGER),
  })
  const promiseOf = (deploymentId: string, imageId: string) =>
    sign({ market: addresses.market, orderId, deploymentId, spec: '2', imageId })

  for (const [epoch, [deploymentId, imageId]] of RAN.entries()) {
    await world.at(at + epoch * calendar.epochSeconds + 10)
    // From the second epoch on the agent promises what it runs: the first promise counts.
    const promise = epoch === 0 ? await promiseOf(deploymentId, PROMISED) : await promiseOf(deploymentId, imageId)
    agent.nodes[0] = { orderId, market: addresses.market, healthy: true, runs: { deploymentId, imageId, promise } }
    for (const monitor of world.monitors) await monitor.observe()
    // What is kept outlives the process.
    if (epoch === 1) await world.restart(0)
  }
  const end = calendar.endOf(period)
  for (const time of [end + 200, end + HOUR + 10, end + 2 * HOUR + 10, end + 7 * HOUR]) {
    await world.at(time)
    for (const monitor of world.monitors) await monitor.report()
  }

  const finding = await client.readContract({
    ...{ address: contract, abi: monitorsAbi, functionName: 'findingOf' },
    args: [addresses.market, orderId, BigInt(period)],
  })
  expect(finding).toMatchObject({ proven: 0b110n, down: 0n, counted: true })
  expect((await getOrder(client, addresses, orderId)).down).toBe(2 * calendar.epochSeconds)
})
