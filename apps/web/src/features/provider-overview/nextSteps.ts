import { MIN_PLEDGE_WEI } from '@rackfair/rules/limits'
import type { MarketNode } from '@rackfair/rules/node/node'
import { orderActions } from '@rackfair/rules/order/actions'
import { promisedWei } from '@rackfair/rules/order/money'
import type { Order } from '@rackfair/rules/order/order'
import { isTerminal } from '@rackfair/rules/order/status'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import type { Provider } from '@rackfair/rules/provider/provider'
import type { Alerts, ModelPrice } from '@rackfair/sdk/http'
import type { MachinesNow } from '@rackfair/sdk/workspace'
import { nodeMedianWei } from '../../entities/provider/medians.ts'
import { hottestOf, isHot } from '../../entities/workspace/nodeHeat.ts'

/** Something that the provider should do, with what it rests on. */
export type NextStep =
  | { kind: 'noNodes' }
  | { kind: 'agentNever' }
  /** `perHourWei`: what its orders would bring meanwhile. */
  | { kind: 'agentSilent'; since: number; perHourWei: bigint }
  | { kind: 'gpuProblem'; model: string; problem: string }
  /** `missingWei` in whole cents, rounded up: so much is enough. */
  | { kind: 'pledgeBlocks'; node: string; missingWei: bigint }
  | { kind: 'hot'; node: string; celsius: number; slowsAtCelsius: number }
  | { kind: 'settle'; count: number }
  /** `lastSold` is 0 for one that never was. */
  | { kind: 'idle'; node: string; nodeId: number; lastSold: number; above: number; medianWei: bigint }
  | { kind: 'noAlerts' }

export interface NextStepFacts {
  provider: Provider
  /** What is not known yet is undefined, and nothing is said of it. */
  orders: readonly Order[] | undefined
  prices: readonly ModelPrice[] | undefined
  machines: Pick<MachinesNow, 'gpus' | 'nodes'> | undefined
  alerts: Alerts | undefined
  now: number
}

const HOUR = 3600n
const CENT_WEI = 10n ** 16n
const MAX_IDLE = 3

/** What to do next, the most urgent first. */
export function nextSteps(facts: NextStepFacts): NextStep[] {
  const nodes = facts.provider.nodes.filter((node) => node.exist)
  return [
    ...(nodes.length === 0 ? [{ kind: 'noNodes' } as const] : agentSteps(facts.provider, nodes)),
    ...gpuSteps(facts.machines, nodes),
    ...pledgeSteps(facts.provider, nodes),
    ...settleSteps(facts),
    ...idleSteps(facts, nodes),
    ...(facts.alerts?.alerts.length === 0 && nodes.length > 0 ? [{ kind: 'noAlerts' } as const] : []),
  ]
}

function agentSteps({ online, offlineSince }: Provider, nodes: readonly MarketNode[]): NextStep[] {
  if (online) return []
  if (offlineSince === null) return [{ kind: 'agentNever' }]
  const rate = nodes.filter((node) => node.sold).reduce((sum, node) => sum + node.ratePerMonthWei, 0n)
  return [{ kind: 'agentSilent', since: offlineSince, perHourWei: accruedWei(rate, HOUR) }]
}

function gpuSteps(machines: NextStepFacts['machines'], nodes: readonly MarketNode[]): NextStep[] {
  if (!machines) return []
  const broken = machines.gpus.flatMap(({ model, problem }): NextStep[] =>
    problem === undefined ? [] : [{ kind: 'gpuProblem', model, problem }],
  )
  const hot = nodes.flatMap(({ nodeId, name }): NextStep[] => {
    const gpu = hottestOf(machines, nodeId)
    if (!gpu || !isHot(gpu)) return []
    return [{ kind: 'hot', node: name, celsius: gpu.celsius ?? 0, slowsAtCelsius: gpu.slowsAtCelsius ?? 0 }]
  })
  return [...broken, ...hot]
}

/** A sale needs the minimum, and what it locks itself, which no order has locked yet. */
function pledgeSteps({ pledgeWei, pledgeLockedWei }: Provider, nodes: readonly MarketNode[]): NextStep[] {
  const freeWei = pledgeWei - pledgeLockedWei
  const missing = nodes
    .filter((node) => !node.sold && node.switchedOn)
    .map((node) => {
      // Unknown, only the minimum can be missing: the Market decides about the rest.
      const lockedWei =
        node.penalty === undefined ? 0n : promisedWei({ ratePerMonthWei: node.ratePerMonthWei, penalty: node.penalty })
      const short = [lockedWei - freeWei, MIN_PLEDGE_WEI - pledgeWei].reduce((most, wei) => (wei > most ? wei : most), 0n)
      return { node: node.name, missingWei: ((short + CENT_WEI - 1n) / CENT_WEI) * CENT_WEI }
    })
    .filter(({ missingWei }) => missingWei > 0n)
    .sort((a, b) => (a.missingWei < b.missingWei ? -1 : 1))
  return missing.slice(0, 1).map((one) => ({ kind: 'pledgeBlocks', ...one }))
}

function settleSteps({ orders = [], now }: NextStepFacts): NextStep[] {
  // One that runs is settled whenever its money is wanted; one that is over waits for nothing else.
  const over = orders.filter(
    (order) =>
      !isTerminal(order.status) &&
      order.activateTime > 0 &&
      order.activateTime + order.duration <= now &&
      orderActions(order, undefined, 'provider', now).settle === 'yes',
  )
  return over.length === 0 ? [] : [{ kind: 'settle', count: over.length }]
}

/** Machines that nobody rents and that cost more than the market's median. */
function idleSteps({ orders = [], prices }: NextStepFacts, nodes: readonly MarketNode[]): NextStep[] {
  return nodes
    .flatMap((node): Extract<NextStep, { kind: 'idle' }>[] => {
      const medianWei = nodeMedianWei(prices, node)
      const rate = node.ratePerMonthWei
      if (node.sold || !node.switchedOn || medianWei === undefined || medianWei === 0n) return []
      const above = Number(((rate - medianWei) * 1000n) / medianWei) / 1000
      if (above < 0.01) return []
      const lastSold = Math.max(0, ...orders.filter((order) => order.nodeId === node.nodeId).map((order) => order.closeTime))
      return [{ kind: 'idle', node: node.name, nodeId: node.nodeId, lastSold, above, medianWei }]
    })
    .sort((a, b) => b.above - a.above)
    .slice(0, MAX_IDLE)
}
