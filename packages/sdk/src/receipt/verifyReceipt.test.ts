import type { ReceiptWire } from '@rackfair/protocol/orders'
import type { OrderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { type MonitoredMarket, startMonitoredMarket } from '@rackfair/testkit'
import { orderAnswer } from '@rackfair/testkit/fixtures'
import { createPublicClient, custom } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyReceipt } from './verifyReceipt.ts'

let market: MonitoredMarket
beforeAll(async () => {
  market = await startMonitoredMarket({ monitors: 1 })
})
afterAll(() => market.stop())

type Periods = OrderEvidenceAnswer['periods']

const addressOf = (index: number) => `0x${index.toString(16).padStart(40, '0')}`
const votes = (monitors: readonly string[]): Periods[number]['votes'] =>
  monitors.map((monitor) => ({ monitor, observed: '0x1', down: '0x0', proof: [] }))

/** Verifies an empty receipt of a real order with this evidence, and counts the requests to the chain. */
async function verify(periods: Periods) {
  const { client, addresses, orderIds } = market
  let requests = 0
  const counting = createPublicClient({
    transport: custom({
      request: (call) => {
        requests += 1
        return client.request(call)
      },
    }),
  })
  const orderId = String(orderIds[0])
  const totals = { paid: '0', earned: '0', commission: '0', refunded: '0', compensated: '0', escrow: '0' }
  const block = Number(await client.getBlockNumber())
  const receipt: ReceiptWire = { order: orderAnswer({ id: orderId }), lines: [], spans: [], asOf: 0, totals, block }
  const verdict = await verifyReceipt(counting, addresses.access, receipt, { orderId, periods, block }).catch(
    (error: unknown) => error,
  )
  return { verdict, requests }
}

test('asks the chain once about a monitor that the evidence names three hundred times', async () => {
  const { requests: without } = await verify([{ period: 1, votes: [] }])
  const { verdict, requests } = await verify([{ period: 1, votes: votes(Array<string>(300).fill(addressOf(1))) }])
  expect(verdict).toHaveProperty('agrees', false)
  expect(requests - without).toBe(1)
})

test('refuses evidence of more reports than a period has', async () => {
  const { verdict, requests } = await verify([
    { period: 1, votes: votes(Array.from({ length: 501 }, (_, index) => addressOf(index))) },
  ])
  expect(verdict).toMatchObject({ code: 'payload_too_large', message: 'period 1 has 501 reports' })
  expect(requests).toBeLessThan(30)
})

test('refuses evidence of more periods than an order has', async () => {
  const of = (length: number): Periods => Array.from({ length }, (_, period) => ({ period, votes: [] }))
  // A month of three periods a day, and two days more.
  expect((await verify(of(96))).verdict).toHaveProperty('agrees', false)
  const { verdict, requests } = await verify(of(200))
  expect(verdict).toMatchObject({ code: 'payload_too_large', message: 'the evidence names 200 periods' })
  expect(requests).toBeLessThan(30)
})
