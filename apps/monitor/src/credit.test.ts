import { findingsAbi, monitorsAbi } from '@rackfair/contracts'
import { getOrder } from '@rackfair/sdk'
import { zeroHash } from 'viem'
import { expect, it, onTestFinished } from 'vitest'
import { type SimulatedAgent, setupMonitoredAgents } from './testing/setupMonitoredAgents.ts'

const HOUR = 3600

it('refunds the buyer even if the provider finishes the finding without telling the Market', async () => {
  const world = await setupMonitoredAgents({ monitors: 3 })
  onTestFinished(world.stop)
  const { client, addresses, calendar, findings, send } = world.market
  const agent = world.agents[0] as SimulatedAgent
  const [orderId = 0n] = agent.orderIds
  const period = await world.nextPeriod()
  for (const epoch of [0, 1, 2]) {
    await world.at(calendar.startOf(period) + epoch * calendar.epochSeconds + 10)
    await (epoch === 1 ? agent.side.close() : agent.side.open())
    for (const monitor of world.monitors) await monitor.observe()
  }
  const end = calendar.endOf(period)
  for (const time of [end + 200, end + HOUR + 10, end + 2 * HOUR + 10]) {
    await world.at(time)
    for (const monitor of world.monitors) await monitor.report()
  }
  const key = [addresses.market, orderId, BigInt(period)] as const
  const { finalAt } = await client.readContract({ address: findings, abi: findingsAbi, functionName: 'findingOf', args: key })
  await world.at(finalAt)
  await send(agent.operator, 'finish', key)
  expect((await getOrder(client, addresses, orderId)).down).toBe(0)

  await world.at(finalAt + 600)
  for (const monitor of world.monitors) await monitor.report()
  expect((await getOrder(client, addresses, orderId)).down).toBe(calendar.epochSeconds)
})

it('finds downtime with peers that became unreadable once their reports were out', async () => {
  const world = await setupMonitoredAgents({ monitors: 3 })
  onTestFinished(world.stop)
  const { client, addresses, calendar, findings } = world.market
  const agent = world.agents[0] as SimulatedAgent
  const [orderId = 0n] = agent.orderIds
  const period = await world.nextPeriod()
  await agent.side.close()
  await world.at(calendar.startOf(period) + 10)
  for (const monitor of world.monitors) await monitor.observe()
  const end = calendar.endOf(period)
  for (const time of [end + 200, end + HOUR + 10]) {
    await world.at(time)
    for (const monitor of world.monitors) await monitor.report()
  }
  for (const { published } of world.monitors) await published.stop()
  await world.at(end + 2 * HOUR + 10)
  await world.monitors[0]?.report()
  const key = [addresses.market, orderId, BigInt(period)] as const
  const { down } = await client.readContract({ address: findings, abi: findingsAbi, functionName: 'findingOf', args: key })
  expect(down).toBe(1n)
})

it('draws monitors in a market where there was nothing to observe', async () => {
  const world = await setupMonitoredAgents({ monitors: 1 })
  onTestFinished(world.stop)
  const { calendar, client, contract } = world.market
  const [monitor] = world.monitors
  const period = await world.nextPeriod()
  const beaconOf = (one: number) =>
    client.readContract({ address: contract, abi: monitorsAbi, functionName: 'beaconOf', args: [BigInt(one)] })
  expect(monitor?.observations.reports(period)).toEqual([])
  expect(await beaconOf(period + 2)).toBe(zeroHash)
  // Four blocks after the announcement the monitors are drawn.
  for (let second = 200; second < 207; second += 1) {
    await world.at(calendar.endOf(period) + second)
    await monitor?.report()
  }
  expect(await beaconOf(period + 2)).not.toBe(zeroHash)
})
