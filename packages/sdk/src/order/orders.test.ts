import type { OrderWire } from '@rackfair/protocol/orders'
import { MAX_DATE_MS } from '@rackfair/rules/limits'
import { orderAnswer } from '@rackfair/testkit/fixtures'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createApi } from '../http/createApi.ts'
import { listOrders, receipt } from './orders.ts'

const START = 1_800_000_000
const END = START + 5_184_000
const CREDIT = 10n ** 18n
const BUYER = '0x00000000000000000000000000000000000000aa'
const AMOUNTS = { paid: '60', earned: '5', commission: '1', refunded: '3', compensated: '0' }

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: (END - 1) * 1000 }))
afterEach(() => void vi.useRealTimers())

const marketWith = (answers: Record<string, unknown>) => ({
  api: createApi({ baseUrl: '', fetch: async (url) => Response.json(answers[String(url)]) }),
})
const list = (changes: Partial<OrderWire>) =>
  listOrders(marketWith({ [`/v1/user/${BUYER}/order/list?minBlock=7`]: [orderAnswer(changes)] }), BUYER, { minBlock: 7 })

test('lists an order with its node, price and time', async () => {
  expect(await list({ deployed: true, appName: 'nginx' })).toEqual([
    {
      ...{ orderId: 12n, user: BUYER, provider: '0x00000000000000000000000000000000000000bb', nodeId: 3, name: 'helios-3' },
      ...{ standing: 'active', endsAt: END, app: 'nginx', paidWei: 60n * CREDIT, ratePerMonthWei: 30n * CREDIT },
      ...{ cpu: { model: 'EPYC 7402', count: 2, cores: 8 }, gpu: { model: '', count: 0 }, memoryGb: 16, diskGb: 200 },
    },
  ])
})

test.each<[string, Partial<OrderWire>, object]>([
  ['that was not activated has no end', { activateTime: 0, status: 1 }, { endsAt: undefined, standing: 'start_missed' }],
  ['without a deployment has no application', { deployed: false, appName: 'nginx' }, { app: undefined }],
  ['with an application of no name has none', { deployed: true, appName: '' }, { app: undefined }],
  ['that is over has expired', { duration: 5_183_999 }, { endsAt: END - 1, standing: 'expired' }],
])('an order %s', async (_, changes, expected) => expect(await list(changes)).toMatchObject([expected]))

test('refuses an order that ends after the last date, and accepts one that ends just before', async () => {
  const half = MAX_DATE_MS / 2000
  const [order] = await list({ activateTime: half, duration: half })
  expect(new Date((order?.endsAt ?? 0) * 1000).getTime()).toBe(MAX_DATE_MS)
  await expect(list({ activateTime: half + 1 })).rejects.toMatchObject({ code: 'answer_malformed' })
  await expect(list({ duration: half + 1 })).rejects.toMatchObject({ code: 'answer_malformed' })
})

test('shows an order in its receipt as in the list', async () => {
  const answer = { order: orderAnswer(), lines: [], spans: [], asOf: END, totals: { ...AMOUNTS, escrow: '51' }, block: 9 }
  const { order, lines, totals } = await receipt(marketWith({ '/v1/orders/12/receipt?minBlock=7': answer }), 12n, {
    minBlock: 7n,
  })
  expect([order]).toEqual(await list({}))
  expect([lines, totals.paidWei, totals.escrowWei]).toEqual([[], 60n, 51n])
})
