import type { MarketNode } from '@rackfair/rules/node/node'
import type { Order } from '@rackfair/rules/order/order'
import type { Provider } from '@rackfair/rules/provider/provider'
import { readNodeOffer, readProvider } from '@rackfair/sdk/http'
import type { MachinesNow } from '@rackfair/sdk/workspace'
import { nodeAnswer, providerAnswer } from '@rackfair/testkit/fixtures'
import { expect, it } from 'vitest'
import { type NextStepFacts, nextSteps } from './nextSteps.ts'

const USD = 10n ** 18n
const usd = (amount: number) => BigInt(amount) * USD
const node = (nodeId: number, change: Partial<MarketNode> = {}): MarketNode => ({
  ...readNodeOffer(nodeAnswer()),
  ...{ nodeId, name: `helios-${nodeId}`, ratePerMonthWei: usd(264), memoryGb: 0, diskGb: 0 },
  ...{ cpu: { model: '', count: 0, cores: 0 }, gpu: { model: 'RTX 3090', count: 2 } },
  ...change,
})
const provider = (change: Partial<Provider> = {}): Provider => ({
  ...readProvider(providerAnswer()),
  ...{ pledgeWei: usd(400), pledgeLockedWei: usd(50), nodes: [node(3)] },
  ...change,
})
const NOW = 1_800_000_000
const prices = (median: number) => [
  { kind: 'gpu' as const, model: 'rtx 3090', nodes: 4, minUnitWei: 0n, medianUnitWei: usd(median), cheapestIdleWei: null },
]
const steps = (change: Partial<NextStepFacts>) =>
  nextSteps({
    ...{ provider: provider(), orders: [], prices: undefined, machines: undefined, alerts: undefined, now: NOW },
    ...change,
  })

it('shows nothing about what it does not know, and nothing when all is well', () => {
  expect(steps({})).toEqual([])
  expect(steps({ alerts: { alerts: [{}] } as never, prices: prices(140) })).toEqual([])
})

it('starts with what prevents sales: no nodes, an agent that never connected or is silent', () => {
  expect(steps({ provider: provider({ nodes: [] }), alerts: { alerts: [] } as never })).toEqual([{ kind: 'noNodes' }])
  expect(steps({ provider: provider({ online: false }) })).toEqual([{ kind: 'agentNever' }])
  const silent = provider({
    online: false,
    offlineSince: NOW - 600,
    nodes: [node(1, { sold: true, ratePerMonthWei: usd(720) }), node(2)],
  })
  expect(steps({ provider: silent })).toEqual([{ kind: 'agentSilent', since: NOW - 600, perHourWei: USD }])
})

it('names the node that the smallest further pledge would sell', () => {
  const short = provider({
    pledgeWei: usd(51),
    nodes: [node(1, { ratePerMonthWei: usd(90) }), node(2, { ratePerMonthWei: usd(60) }), node(4, { ratePerMonthWei: usd(30) })],
  })
  expect(steps({ provider: short })).toEqual([{ kind: 'pledgeBlocks', node: 'helios-2', missingWei: USD }])
  const none = provider({ pledgeWei: 0n, pledgeLockedWei: 0n, nodes: [node(4, { ratePerMonthWei: usd(3) })] })
  expect(steps({ provider: none })).toEqual([{ kind: 'pledgeBlocks', node: 'helios-4', missingWei: USD }])
})

it('reports a card with a problem, and one above its throttling temperature', () => {
  const machines = (celsius: number, problem?: string): Pick<MachinesNow, 'gpus' | 'nodes'> => ({
    gpus: [
      { model: 'RTX 3090', celsius: 50, slowsAtCelsius: 83 },
      { model: 'RTX 3090', celsius, slowsAtCelsius: 83, problem },
    ],
    nodes: [{ nodeId: 3, gpus: [0, 1] }],
  })
  expect(steps({ machines: machines(82.5) })).toEqual([])
  expect(steps({ machines: machines(84) })).toEqual([{ kind: 'hot', node: 'helios-3', celsius: 84, slowsAtCelsius: 83 }])
  expect(steps({ machines: machines(40, 'XID 79') })).toEqual([{ kind: 'gpuProblem', model: 'RTX 3090', problem: 'XID 79' }])
})

it('compares idle machines with the median of their parts, and says since when they idle', () => {
  const sold = [
    { nodeId: 3, closeTime: NOW - 864_000 },
    { nodeId: 3, closeTime: NOW - 1_000_000 },
  ] as Order[]
  expect(steps({ prices: prices(120), orders: sold })).toEqual([
    { kind: 'idle', node: 'helios-3', nodeId: 3, lastSold: NOW - 864_000, above: 0.1, medianWei: 240n * USD },
  ])
  expect(
    steps({ prices: prices(120), provider: provider({ nodes: [node(3, { sold: true }), node(5, { switchedOn: false })] }) }),
  ).toEqual([])
})

it('suggests alerts last', () => {
  const kinds = steps({ prices: prices(120), alerts: { alerts: [] } as never }).map(({ kind }) => kind)
  expect(kinds).toEqual(['idle', 'noAlerts'])
})
