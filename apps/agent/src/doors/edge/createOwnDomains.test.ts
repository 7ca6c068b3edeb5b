import type { DoorAgentMessage } from '@rackfair/protocol/door'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openAgentDb } from '../../db/openAgentDb.ts'
import { sayingLog } from '../../foundation/log.ts'
import { createOwnDomains } from './createOwnDomains.ts'

const SOON = { timeout: 60_000, interval: 10 }
const NAME = 'atlas.edge.example'

/** Domains at one edge, which sees each that `isSeen`; the records of all below `order-N.test` point to order N, and others to order 2. */
function setup(isSeen: (domain: string) => boolean = () => true) {
  const said: Extract<DoorAgentMessage, { type: 'domains' }>[] = []
  const over = new Set<bigint>()
  const cname = async (name: string) => (name.endsWith(NAME) ? [] : [`o-${/order-(\d+)\.test$/.exec(name)?.[1] ?? 2}.${NAME}`])
  const domains = createOwnDomains({
    ...{ db: openAgentDb(':memory:').db, records: { cname, txt: async () => [] } },
    ...{ isOver: async (orderId) => over.has(orderId), now: () => 0, log: sayingLog(() => {}) },
  })
  onTestFinished(() => domains.close())
  const edge = {}
  domains.came(edge, NAME, (message) => {
    if (message.type !== 'domains') return
    said.push(message)
    for (const { domain, order } of message.add)
      setImmediate(() => domains.said(edge, { domain, order, isServed: isSeen(domain) }))
  })
  return { domains, said, over }
}
const codeOf = (adding: Promise<void>) =>
  adding.then(
    () => 'added',
    ({ code }: { code: string }) => code,
  )
const ofOrder = (orderId: number, count: number) =>
  Array.from({ length: count }, (_, at) => `${String.fromCharCode(97 + at)}.order-${orderId}.test`)

it('gives a domain that several orders claim at one moment to the one that it points to', async () => {
  const { domains } = setup()
  const claims = [1n, 2n, 3n, 2n].map((orderId) => codeOf(domains.add(orderId, 'shop.test')))
  expect(await Promise.all(claims)).toEqual(['domain_elsewhere', 'added', 'domain_taken', 'added'])
  expect(domains.orderOf('shop.test')).toBe(2n)
  expect(domains.list(2n).domains).toEqual([{ domain: 'shop.test', isServed: true }])
})

it('gives an order eight, however many are added at one moment, and few new ones in an hour', async () => {
  const { domains } = setup()
  const codes = await Promise.all(ofOrder(1, 12).map((domain) => codeOf(domains.add(1n, domain))))
  expect(codes.toSorted()).toEqual([...Array(8).fill('added'), ...Array(4).fill('too_many_domains')])
  for (const { domain } of domains.list(1n).domains) domains.remove(1n, domain)
  const more = await Promise.all(ofOrder(1, 8).map((domain) => codeOf(domains.add(1n, domain))))
  expect(new Set(more)).toEqual(new Set(['added']))
  domains.remove(1n, 'a.order-1.test')
  expect(await codeOf(domains.add(1n, 'a.order-1.test'))).toBe('rate_limited')
  expect(await codeOf(domains.add(2n, 'a.order-2.test'))).toBe('added')
})

it('takes all from orders that are over, in few messages', async () => {
  const { domains, said, over } = setup()
  const orders = [1, 2, 3, 4]
  const all = orders.flatMap((order) => ofOrder(order, 8).map((domain) => ({ domain, order: BigInt(order) })))
  await Promise.all(all.map(({ domain, order }) => domains.add(order, domain)))
  for (const order of orders) over.add(BigInt(order))
  const before = said.length
  await domains.sweep()
  expect(all.filter(({ domain }) => domains.orderOf(domain) !== undefined)).toEqual([])
  await vi.waitFor(() => expect(said.slice(before).flatMap(({ remove }) => remove)).toHaveLength(all.length), SOON)
  expect(said.length - before).toBeLessThanOrEqual(orders.length + 2)
})

it('asks an edge again that does not see one, and keeps one that was there before', async () => {
  let isSeen = false
  const { domains } = setup(() => isSeen)
  expect(await codeOf(domains.add(2n, 'shop.test'))).toBe('domain_elsewhere')
  expect(domains.orderOf('shop.test')).toBeUndefined()
  isSeen = true
  expect(await codeOf(domains.add(2n, 'shop.test'))).toBe('added')
  isSeen = false
  expect(await codeOf(domains.add(2n, 'shop.test'))).toBe('domain_elsewhere')
  expect(domains.list(2n).domains).toEqual([{ domain: 'shop.test', isServed: false }])
  isSeen = true
  await domains.sweep()
  await vi.waitFor(() => expect(domains.list(2n).domains).toEqual([{ domain: 'shop.test', isServed: true }]), SOON)
})
