import { marketAbi } from '@rackfair/contracts'
import { configAnswer } from '@rackfair/protocol/config'
import { globalAnswer, seriesAnswer } from '@rackfair/protocol/network'
import { nodeOfferShape, nodeSearchAnswer, pricesAnswer, rackAnswer } from '@rackfair/protocol/nodes'
import { orderEventsAnswer, orderList, orderShape, receiptShape } from '@rackfair/protocol/orders'
import { presetList } from '@rackfair/protocol/presets'
import { providerList, providerShape } from '@rackfair/protocol/providers'
import { zodOf } from '@rackfair/protocol/zodOf'
import { PRESET_NAMES } from '@rackfair/rules/presets'
import { createApi } from '@rackfair/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onBothDatabases } from './databases.ts'
import { type Market, startMarket } from './startMarket.ts'

onBothDatabases((databases) => {
  let market: Market
  beforeAll(async () => {
    market = await startMarket(await databases.fresh())
  })
  afterAll(() => market.stop())

  it('shows a provider, its node, an order and what follows, each in the schema of its call', async () => {
    const { act, chain, get } = market
    const cp = chain.accounts.provider.address.toLowerCase()
    const pledged = await act.becomeProvider()

    const provider = zodOf(providerShape).parse((await get(`/v1/cp/${chain.accounts.provider.address}?minBlock=${pledged}`)).body)
    expect(provider).toMatchObject({
      addr: cp,
      name: 'north',
      nNode: 1,
      uNode: 0,
      pledge: '100000000000000000000',
      pledgeLocked: '0',
      online: false,
    })
    expect(provider.nodes[0]).toMatchObject({ nodename: 'north-1', sold: false, switchedOn: true, online: false, orderId: '0' })
    expect(zodOf(providerList).parse((await get('/v1/cp/list/0/1000')).body)).toHaveLength(1)

    const { id, block, fee } = await act.buy()
    const order = zodOf(orderShape).parse((await get(`/v1/orders/${id}?minBlock=${block}`)).body)
    expect(order).toMatchObject({
      id: String(id),
      status: 1,
      totalValue: String(fee),
      remain: String(fee),
      appName: 'nginx',
      providerName: 'north',
    })
    expect(order.node).toMatchObject({ sold: true, orderId: String(id), soldUntil: null })

    const activated = await act.send(chain.accounts.provider, 'market', 'activate', [id])
    const active = zodOf(orderShape).parse((await get(`/v1/orders/${id}?minBlock=${activated}`)).body)
    expect(active).toMatchObject({ status: 2, ProviderConfirm: true })
    expect(active.node?.soldUntil).toBe(active.activateTime + active.duration)

    const { events } = zodOf(orderEventsAnswer).parse((await get(`/v1/orders/${id}/events`)).body)
    expect(events.map((event) => event.name)).toEqual(['OrderCreated', 'OrderActivated'])
    expect(zodOf(orderList).parse((await get(`/v1/user/${chain.accounts.user.address}/order/list`)).body)).toHaveLength(1)
    expect(zodOf(orderList).parse((await get(`/v1/cp/${cp}/order/list`)).body)).toHaveLength(1)

    const { global } = zodOf(globalAnswer).parse((await get('/v1/global/')).body)
    expect(global).toMatchObject({
      cpNumber: 1,
      nodeGlobal: 1,
      nodeUsed: 1,
      gpuUsed: 2,
      cpuUsed: 2,
      memUsed: 128,
      diskUsed: 2000,
      nodeOnline: 0,
    })
    const found = zodOf(nodeSearchAnswer).parse((await get('/v1/nodes?text=4090')).body)
    expect(found).toMatchObject({ total: 1, next: null, facets: { gpu: [{ value: 'RTX 4090', count: 1 }] } })
    zodOf(nodeOfferShape).parse((await get(`/v1/nodes/${cp}/1`)).body)
    zodOf(rackAnswer).parse((await get('/v1/rack')).body)
    zodOf(pricesAnswer).parse((await get('/v1/prices')).body)
    configAnswer.parse((await get('/v1/config')).body)
    expect(zodOf(presetList).parse((await get('/v1/presets')).body)).toHaveLength(PRESET_NAMES.length)
    for (const range of ['24h', '7d', '30d']) {
      const series = zodOf(seriesAnswer).parse((await get(`/v1/stats/series?range=${range}`)).body)
      expect(series.points.at(-1)).toMatchObject({ nodeGlobal: 1, nodeUsed: 1 })
    }
  })

  it('quotes the same fee as the contract', async () => {
    const { act, chain, get } = market
    const headers = { 'content-type': 'application/json' }
    const provider = chain.accounts.provider.address
    for (const duration of [3_600, 3_601, 2_592_000, 7_776_000, 99_999_999, 120 * 2_592_000]) {
      const body = JSON.stringify({ duration, node_id: 1, provider })
      const { body: quote } = await get<{ fee: string; rev: number }>('/v1/order/fee', { method: 'POST', headers, body })
      const [fee, rev] = await act.client.readContract({
        address: chain.deployment.market,
        abi: marketAbi,
        functionName: 'feeOrder',
        args: [provider, 1n, duration],
      })
      expect([duration, quote.fee, quote.rev]).toEqual([duration, String(fee), rev])
    }
    for (const duration of [1, 3_599, 120 * 2_592_000 + 1]) {
      const body = JSON.stringify({ duration, node_id: 1, provider })
      const answer = await get<{ code: string; message: string }>('/v1/order/fee', { method: 'POST', headers, body })
      expect([answer.status, answer.body.code, answer.body.message]).toEqual([
        400,
        'bad_request',
        expect.stringMatching(/^duration: an order lasts at (least|most) \d+ seconds/),
      ])
      const quote = { address: chain.deployment.market, abi: marketAbi, functionName: 'feeOrder' } as const
      await expect(act.client.readContract({ ...quote, args: [provider, 1n, duration] })).rejects.toThrow('DurationOutOfBounds')
    }
  })

  it('shows the shortest term of a node, and quotes nothing shorter', async () => {
    const { act, chain, get } = market
    const headers = { 'content-type': 'application/json' }
    const provider = chain.accounts.provider.address
    const [path, before] = [`/v1/nodes/${provider}/1`, await get<{ minTerm: number }>(`/v1/nodes/${provider}/1`)]
    expect(before.body.minTerm).toBe(3_600)
    const block = await act.send(chain.accounts.provider, 'registry', 'setMinTerm', [provider, 1n, 86_400])
    const { body: node } = await get<{ minTerm: number }>(`${path}?minBlock=${block}`)
    expect(node.minTerm).toBe(86_400)
    const quote = (duration: number) =>
      get<{ message: string }>('/v1/order/fee', {
        ...{ method: 'POST', headers, body: JSON.stringify({ duration, node_id: 1, provider }) },
      })
    expect(await quote(86_399)).toMatchObject({
      ...{ status: 400, body: { code: 'bad_request', message: 'duration: the node is sold for at least 86400 seconds' } },
    })
    expect(await quote(86_400)).toMatchObject({ status: 200 })
    await act.send(chain.accounts.provider, 'registry', 'setMinTerm', [provider, 1n, 0])
  })

  it('settles, closes and writes a receipt that adds up', async () => {
    const { act, chain, get } = market
    const [mine] = zodOf(orderList).parse((await get(`/v1/user/${chain.accounts.user.address}/order/list`)).body)
    const id = BigInt(mine?.id ?? 0)
    await act.warp(5 * 86_400)
    await act.send(chain.accounts.provider, 'market', 'proSettle', [id])
    const closed = await act.send(chain.accounts.user, 'market', 'userCancel', [id])
    const order = zodOf(orderShape).parse((await get(`/v1/orders/${id}?minBlock=${closed}`)).body)
    expect(order).toMatchObject({ status: 4, pendingUntil: order.closeTime + 86_400 })
    expect(order.node).toMatchObject({ sold: false })
    const waiting = zodOf(receiptShape).parse((await get(`/v1/orders/${id}/receipt`)).body).totals
    expect(BigInt(waiting.escrow)).toBeGreaterThan(0n)
    expect(BigInt(waiting.earned) + BigInt(waiting.refunded) + BigInt(waiting.escrow)).toBe(BigInt(waiting.paid))

    await act.warp(86_400)
    const decided = await act.send(chain.accounts.user, 'market', 'proSettle', [id])
    const after = zodOf(orderShape).parse((await get(`/v1/orders/${id}?minBlock=${decided}`)).body)
    expect(after).toMatchObject({ status: 4, remain: '0', pendingUntil: 0, closeTime: order.closeTime })
    const { totals, lines } = zodOf(receiptShape).parse((await get(`/v1/orders/${id}/receipt`)).body)
    for (const field of ['paid', 'earned', 'commission', 'refunded', 'compensated'] as const)
      expect(
        lines.reduce((sum, line) => sum + BigInt(line[field]), 0n),
        field,
      ).toBe(BigInt(totals[field]))
    expect(BigInt(totals.earned) + BigInt(totals.refunded)).toBe(BigInt(totals.paid))
    expect(totals.escrow).toBe('0')
    const csv = await get<string>(`/v1/orders/${id}/receipt.csv`)
    expect(csv.body.split('\r\n').at(-2)).toContain(',total,')
    const earnings = (await get<{ days: { gross: string }[] }>(`/v1/cp/${chain.accounts.provider.address}/earnings`)).body
    expect(earnings.days.reduce((sum, day) => sum + BigInt(day.gross), 0n)).toBe(BigInt(totals.earned))
  })

  it('serves every read of the SDK', async () => {
    const { chain, platform } = market
    const api = createApi({ baseUrl: platform.url })
    const { provider, user } = chain.accounts
    const minBlock = await market.act.client.getBlockNumber()
    expect(await api.providers(0, 10, { minBlock })).toHaveLength(1)
    expect(await api.nodes({ gpu: 'RTX 4090', sort: '-price' })).toMatchObject({ total: 1 })
    const [order] = await api.userOrders(user.address)
    const id = order?.id ?? ''
    expect((await api.orderEvents(id)).events.length).toBeGreaterThan(2)
    expect((await api.receipt(id)).order.id).toBe(id)
    expect(await api.node(provider.address, 1)).toMatchObject({ id: 1 })
    expect(await api.session()).toEqual({ address: null, expires: null })
    await expect(api.faucet(user.address)).rejects.toMatchObject({ code: 'faucet_unavailable' })
    await expect(api.order('999')).rejects.toMatchObject({ code: 'not_found', facts: { status: 404 } })
  })

  it('is ready, healthy, measured and documented', async () => {
    const { get } = market
    expect((await get('/readyz')).status).toBe(200)
    expect((await get('/healthz')).body).toEqual({ ok: true })
    expect((await get<string>('/metrics')).body).toContain('rackfair_indexed_block')
    expect((await get('/openapi.json')).body).toMatchObject({ openapi: '3.1.0' })
  })

  it('returns 304 for a known ETag, with the indexed block', async () => {
    const { get } = market
    const first = await get('/v1/prices')
    expect(Number(first.headers.get('x-rackfair-block'))).toBeGreaterThan(0)
    const again = await get('/v1/prices', { headers: { 'if-none-match': first.headers.get('etag') ?? '' } })
    expect(again.status).toBe(304)
  })
})
