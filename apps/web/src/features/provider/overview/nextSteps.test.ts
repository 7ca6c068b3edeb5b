import type { AlertsAnswer, MachinesNow, NodeWire, OrderWire, PricesAnswer, ProviderWire } from '@rackfair/core/wire'
import { expect, it } from 'vitest'
import { type NextStepFacts, nextSteps } from './nextSteps.ts'

const USD = 10n ** 18n
const usd = (amount: number) => String(BigInt(amount) * USD)
const node = (id: number, change: Partial<NodeWire> = {}): NodeWire =>
  ({
    ...{ id, nodename: `helios-${id}`, exist: true, sold: false, switchedOn: true, ratePerMonth: usd(264) },
    ...{ cpu: { num: 0, model: '' }, gpu: { num: 2, model: 'RTX 3090' }, mem: { num: 0 }, disk: { num: 0 } },
    ...change,
  }) as NodeWire
const provider = (change: Partial<ProviderWire> = {}) =>
  ({ online: true, offlineSince: null, pledge: usd(400), pledgeLocked: usd(50), nodes: [node(3)], ...change }) as ProviderWire
const NOW = 1_800_000_000
const prices = (medianUnit: number) =>
  ({ models: [{ kind: 'gpu', model: 'rtx 3090', nodes: 4, medianUnit: usd(medianUnit) }] }) as PricesAnswer
const steps = (change: Partial<NextStepFacts>) =>
  nextSteps({
    ...{ provider: provider(), orders: [], prices: undefined, machines: undefined, alerts: undefined, now: NOW },
    ...change,
  })

it('says nothing of what it does not know, and nothing where all is well', () => {
  expect(steps({})).toEqual([])
  expect(steps({ alerts: { alerts: [{}] } as AlertsAnswer, prices: prices(140) })).toEqual([])
})

it('begins with what keeps machines from being sold: none listed, an agent that was never heard or is silent', () => {
  expect(steps({ provider: provider({ nodes: [] }), alerts: { alerts: [] } as never })).toEqual([{ kind: 'noNodes' }])
  expect(steps({ provider: provider({ online: false }) })).toEqual([{ kind: 'agentNever' }])
  const silent = provider({
    online: false,
    offlineSince: NOW - 600,
    nodes: [node(1, { sold: true, ratePerMonth: usd(720) }), node(2)],
  })
  expect(steps({ provider: silent })).toEqual([{ kind: 'agentSilent', since: NOW - 600, perHourWei: USD }])
})

it('names the node that the least of further pledge would sell', () => {
  const short = provider({
    pledge: usd(51),
    nodes: [node(1, { ratePerMonth: usd(90) }), node(2, { ratePerMonth: usd(60) }), node(4, { ratePerMonth: usd(30) })],
  })
  expect(steps({ provider: short })).toEqual([{ kind: 'pledgeBlocks', node: 'helios-2', missingWei: USD }])
  const none = provider({ pledge: '0', pledgeLocked: '0', nodes: [node(4, { ratePerMonth: usd(3) })] })
  expect(steps({ provider: none })).toEqual([{ kind: 'pledgeBlocks', node: 'helios-4', missingWei: USD }])
})

it('tells of a card that cannot be used and of one that slows down, once it is there', () => {
  const machines = (celsius: number, problem?: string): MachinesNow => ({
    ...{ type: 'now', time: NOW, version: '1' },
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

it('compares what idles with the median of its parts, and says since when', () => {
  const sold = [
    { node_id: 3, closeTime: NOW - 864_000 },
    { node_id: 3, closeTime: NOW - 1_000_000 },
  ] as OrderWire[]
  expect(steps({ prices: prices(120), orders: sold })).toEqual([
    { kind: 'idle', node: 'helios-3', nodeId: 3, lastSold: NOW - 864_000, above: 0.1, medianWei: 240n * USD },
  ])
  expect(
    steps({ prices: prices(120), provider: provider({ nodes: [node(3, { sold: true }), node(5, { switchedOn: false })] }) }),
  ).toEqual([])
})

it('asks for a way to be told last', () => {
  const kinds = steps({ prices: prices(120), alerts: { alerts: [] } as never }).map(({ kind }) => kind)
  expect(kinds).toEqual(['idle', 'noAlerts'])
})
