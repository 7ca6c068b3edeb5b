import { monitorsAbi } from '@rackfair/contracts'
import { EPOCH_SECONDS, EPOCHS_PER_PERIOD, epochAt, PERIOD_SECONDS, periodOf } from '@rackfair/core'
import { getOrder, getProvider } from '@rackfair/sdk'
import { acknowledgementData } from '@rackfair/sdk/uptime'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { probeProvider } from './probeProvider.ts'
import { setupMonitoredMarket } from './testing/setupMonitoredMarket.ts'

const HOUR = 3600
let market: Awaited<ReturnType<typeof setupMonitoredMarket>>
beforeAll(async () => {
  market = await setupMonitoredMarket(3)
})
afterAll(() => market.stop())

it('takes an outage that the monitors saw out of the price, over a restart, and leaves the agent with its defence', async () => {
  const { client, addresses, node, monitors, evidence } = market
  const { activateTime } = await getOrder(client, addresses, node.orderId)
  const period = periodOf(epochAt(activateTime)) + 1
  const start = period * PERIOD_SECONDS
  const first = period * EPOCHS_PER_PERIOD
  const all = async (step: 'observe' | 'report') => {
    for (const monitor of market.monitors) await monitor[step]()
  }

  for (let epoch = 0; epoch < 6; epoch += 1) {
    await market.at(start + epoch * EPOCH_SECONDS + 10)
    if (epoch === 2) await market.closeGateway()
    if (epoch === 4) await market.openGateway()
    await all('observe')
  }
  const [report] = monitors[0]?.observations.reports(period) ?? []
  expect(report).toMatchObject({ orderId: node.orderId, observed: 0b111111n, down: 0b001100n })
  expect(evidence.ofOrder(node.orderId, first, first + 5).map(({ epoch }) => epoch - first)).toEqual([
    0, 0, 0, 1, 1, 1, 4, 4, 4, 5, 5, 5,
  ])

  const end = start + PERIOD_SECONDS
  await market.at(end + 200)
  const early = await fetch(`http://127.0.0.1:${monitors[1]?.published.port}/v1/reports/${period}`)
  expect(early.status).toBe(425)
  await all('report')
  await market.restart(2)
  await market.at(end + HOUR + 10)
  await all('report')
  await market.at(end + 2 * HOUR + 10)
  await all('report')
  await market.at(end + 6 * HOUR + 20)
  await all('report')
  expect((await getOrder(client, addresses, node.orderId)).down).toBe(2 * EPOCH_SECONDS)
  // Once more changes nothing.
  await all('report')
  expect((await getOrder(client, addresses, node.orderId)).down).toBe(2 * EPOCH_SECONDS)
})

it('cannot report down what it acknowledged: the agent’s evidence is good at the contract', async () => {
  const { client, node, evidence, contract, provider } = market
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
  const { node, provider, addresses, client, contract } = market
  const at = Number((await client.getBlock()).timestamp)
  const { account } = market.monitors[0] as (typeof market.monitors)[number]
  const context = {
    ...{ account, chainId: 2985, monitors: contract, market: addresses.market, epoch: epochAt(at) },
    ...{ beacon: `0x${'be'.repeat(32)}` as const, retryMs: 1 },
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
