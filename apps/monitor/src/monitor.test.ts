import { monitorsAbi } from '@rackfair/contracts'
import { getOrder, getProvider } from '@rackfair/sdk'
import { acknowledgementData } from '@rackfair/sdk/uptime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { probeProvider } from './probeProvider.ts'
import { setupMonitoredAgent } from './testing/setupMonitoredAgent.ts'

const HOUR = 3600
let agent: Awaited<ReturnType<typeof setupMonitoredAgent>>
beforeAll(async () => {
  agent = await setupMonitoredAgent(3)
})
afterAll(() => agent.stop())

it('takes an outage that the monitors saw out of the price, over a restart, and leaves the agent with its defence', async () => {
  const { market, node, monitors, evidence } = agent
  const { client, addresses, calendar } = market
  const { activateTime } = await getOrder(client, addresses, node.orderId)
  const period = calendar.periodAt(activateTime) + 1
  const start = calendar.startOf(period)
  const first = calendar.firstEpoch(period)
  const all = async (step: 'observe' | 'report') => {
    for (const monitor of agent.monitors) await monitor[step]()
  }

  for (let epoch = 0; epoch < 6; epoch += 1) {
    await agent.at(start + epoch * calendar.epochSeconds + 10)
    if (epoch === 2) await agent.closeGateway()
    if (epoch === 4) await agent.openGateway()
    await all('observe')
  }
  const [report] = monitors[0]?.observations.reports(period) ?? []
  expect(report).toMatchObject({ orderId: node.orderId, observed: 0b111111n, down: 0b001100n })
  expect(evidence.ofOrder(node.orderId, first, first + 5).map(({ epoch }) => epoch - first)).toEqual([
    0, 0, 0, 1, 1, 1, 4, 4, 4, 5, 5, 5,
  ])

  const end = calendar.endOf(period)
  await agent.at(end + 200)
  const early = await fetch(`http://127.0.0.1:${monitors[1]?.published.port}/v1/reports/${period}`)
  expect(early.status).toBe(425)
  await all('report')
  await agent.restart(2)
  await agent.at(end + HOUR + 10)
  await all('report')
  await agent.at(end + 2 * HOUR + 10)
  await all('report')
  await agent.at(end + 6 * HOUR + 20)
  await all('report')
  expect((await getOrder(client, addresses, node.orderId)).down).toBe(2 * calendar.epochSeconds)
  // Once more changes nothing.
  await all('report')
  expect((await getOrder(client, addresses, node.orderId)).down).toBe(2 * calendar.epochSeconds)
})

it('cannot report down what it acknowledged: the agent’s evidence is good at the contract', async () => {
  const { market, node, evidence } = agent
  const { client, contract, provider } = market
  const [kept] = evidence.ofOrder(node.orderId, 0, 2 ** 31)
  const { epoch, nodeId, monitor, signature } = kept as NonNullable<typeof kept>
  const facts = { market: market.addresses.market, orderId: node.orderId, provider: provider.address, nodeId, epoch }
  const data = acknowledgementData(2985, contract, facts)
  expect(
    await client.verifyTypedData({ ...data, address: monitor as `0x${string}`, signature: signature as `0x${string}` }),
  ).toBe(true)
  expect(await client.readContract({ address: contract, abi: monitorsAbi, functionName: 'monitors' })).toHaveLength(3)
})

it('counts a node as up only when its operator answers for the order of the chain, from the internet', async () => {
  const { market, node, schedule } = agent
  const { provider, addresses, client, contract, calendar } = market
  const at = Number((await client.getBlock()).timestamp)
  const { account } = agent.monitors[0] as (typeof agent.monitors)[number]
  const context = {
    ...{ account, chainId: 2985, monitors: contract, market: addresses.market, epoch: calendar.epochAt(at) },
    ...{ beacon: `0x${'be'.repeat(32)}` as const, schedule },
  }
  const { port, operator } = await getProvider(client, addresses, provider.address)
  const target = { address: provider.address, operator, ip: '127.0.0.1', port, nodes: [] }
  const isUp = async (other: Partial<typeof target>, orderId = node.orderId, chainId = 2985) =>
    (await probeProvider({ ...target, ...other }, [{ id: 1n, orderId }], { ...context, chainId }))[0]?.isUp
  expect(await isUp({})).toBe(true)
  expect(await isUp({ operator: account.address })).toBe(false)
  expect(await isUp({}, node.orderId + 1n)).toBe(false)
  expect(await isUp({ port: 1 })).toBe(false)
  expect(await isUp({ ip: 'localhost' })).toBe(false)
  expect(await isUp({}, node.orderId, 985)).toBe(false)
  node.healthy = false
  expect(await isUp({})).toBe(false)
  node.healthy = true
})
