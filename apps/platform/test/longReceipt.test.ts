import { orderEventsAnswer, receiptShape } from '@rackfair/protocol/orders'
import { zodOf } from '@rackfair/protocol/zodOf'
import { expect, it, onTestFinished } from 'vitest'
import { insertRows } from '../src/store/insertRows.ts'
import { openStore } from '../src/store/openStore.ts'
import { startMarket } from './startMarket.ts'

it('accounts for the end of an order whose provider first caused more events than an answer holds', async () => {
  const market = await startMarket()
  onTestFinished(() => market.stop())
  const { act, chain, get, settings } = market
  await act.becomeProvider()
  const { id, fee, block } = await act.buy()
  await get(`/v1/orders/${id}?minBlock=${block}`)
  const store = await openStore(settings, { migrate: false })
  const one = { block, orderId: id, name: 'AppSet', time: 1, transactionHash: '0x'.padEnd(66, '1'), args: '{"app":"a"}' }
  await insertRows(
    store,
    'orderEvent',
    Array.from({ length: 10_000 }, (_, at) => ({ ...one, logIndex: 1_000 + at })),
  )
  await store.close()
  const closed = await act.send(chain.accounts.user, 'market', 'userCancel', [id])

  const { events } = zodOf(orderEventsAnswer).parse((await get(`/v1/orders/${id}/events?minBlock=${closed}`)).body)
  expect(events).toHaveLength(10_000)
  expect(events.at(-1)).toMatchObject({ name: 'OrderClosed', block: closed })
  const { lines, totals } = zodOf(receiptShape).parse((await get(`/v1/orders/${id}/receipt`)).body)
  expect(lines.at(-1)).toMatchObject({ event: 'OrderClosed', refunded: String(fee) })
  expect(totals).toMatchObject({ paid: String(fee), earned: '0', refunded: String(fee), escrow: '0' })

  const table = await get<string>(`/v1/orders/${id}/receipt.csv`)
  expect(table.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(table.headers.get('content-disposition')).toBe(`attachment; filename="order-${id}.csv"`)
  expect(table.body.split('\r\n')).toHaveLength(10_003)
  const again = await get(`/v1/orders/${id}/receipt.csv`, { headers: { 'if-none-match': table.headers.get('etag') ?? '' } })
  expect(again.status).toBe(304)
})
