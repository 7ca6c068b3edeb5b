import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import type { MarketNode } from '@rackfair/rules/node/node'
import { readNodeOffer } from '@rackfair/sdk/http'
import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { describe, expect, it } from 'vitest'
import { domainLink } from './domainLink.ts'
import { modelRows, priceSpan } from './modelRows.ts'
import { pledgeCover } from './pledgeCover.ts'

describe('models and prices', () => {
  const nodes = [
    node({ gpu: ['RTX 4090', 2, 130], cpu: ['EPYC 7402', 1, 20], mem: 64, memPrice: 1 }),
    node({ gpu: ['RTX 4090', 4, 120], cpu: ['EPYC 7402', 2, 20], mem: 128, memPrice: 2 }),
    node({ cpu: ['Xeon Silver 4316', 1, 43] }),
    node({ gpu: ['H100', 8, 900], exist: false }),
  ]
  it('sum up the listed nodes, GPUs first', () =>
    expect(modelRows(nodes)).toEqual([
      { kind: 'gpu', model: 'RTX 4090', units: 6, lowWei: usd(120), highWei: usd(130) },
      { kind: 'cpu', model: 'EPYC 7402', units: 3, lowWei: usd(20), highWei: usd(20) },
      { kind: 'cpu', model: 'Xeon Silver 4316', units: 1, lowWei: usd(43), highWei: usd(43) },
    ]))
  it('range from the lowest to the highest', () => {
    expect(priceSpan(nodes, 'memory')).toEqual({ lowWei: usd(1), highWei: usd(2) })
    expect(priceSpan(nodes, 'disk')).toBeUndefined()
  })
})

describe('pledge coverage', () => {
  const nodes = [node({ rate: 300, sold: true }), node({ rate: 600 }), node({ rate: 900, exist: false })]
  it.each([
    [86_400, usd(20)],
    [7 * 86_400, usd(140)],
    [undefined, undefined],
  ])('includes what orders lock, and what selling the rest locks where the penalty is %s seconds', (penalty, idleWei) =>
    expect(
      pledgeCover({
        ...{ pledgeWei: usd(15), pledgeLockedWei: usd(10) },
        nodes: nodes.map((one) => ({ ...one, penalty })),
      }),
    ).toEqual({ pledgeWei: usd(15), lockedWei: usd(10), freeWei: usd(5), idleWei }),
  )
})

describe('a registered domain', () => {
  it.each([
    ['gpu.example.com', 'https://gpu.example.com/'],
    ['gpu.example.com:8443/a', 'https://gpu.example.com:8443/a'],
    ['http://example.com', 'http://example.com/'],
  ])('%s links to %s', (domain, link) => expect(domainLink(domain)).toBe(link))
  it.each(['javascript:alert(1)', 'data:text/html,x', 'ftp://example.com', 'https://me@example.com', 'no domain', ''])(
    '%s is not linked',
    (domain) => expect(domainLink(domain)).toBeUndefined(),
  )
})

function usd(amount: number): bigint {
  return BigInt(amount) * ONE_CREDIT_WEI
}

function node(facts: {
  gpu?: [string, number, number]
  cpu?: [string, number, number]
  mem?: number
  memPrice?: number
  rate?: number
  sold?: boolean
  exist?: boolean
}): MarketNode {
  const part = ([model, num, price]: [string, number, number] = ['', 0, 0]) => ({ ...unit(num, price), model })
  const unit = (num: number, price: number) => ({ num, priceMon: String(usd(price)), priceSec: '0' })
  return readNodeOffer(
    nodeAnswer({
      cpu: { ...part(facts.cpu), core: 1 },
      gpu: part(facts.gpu),
      mem: unit(facts.mem ?? 0, facts.memPrice ?? 0),
      disk: unit(0, 0),
      exist: facts.exist ?? true,
      sold: facts.sold ?? false,
      ratePerMonth: String(usd(facts.rate ?? 0)),
    }),
  )
}
