import type { NodeWire } from '@rackfair/protocol/nodes'
import { evidenceOf, uninterruptedChance } from '@rackfair/rules/uptime/reliability'

/** What a search compares, extracted from a node once. */
export interface SearchEntry {
  node: NodeWire
  text: string
  rate: bigint
  /** `rate` as a float: if two of these differ, the exact rates differ in the same direction. */
  roughRate: number
  /** The total monthly price per GPU, or per processor if there is no GPU: the figure to compare nodes of different sizes. */
  unitRate: bigint
  pledge: bigint
  addedTime: number
  /** Probability of 30 days without an outage, 0 to 1. */
  chance: number
  key: string
}

const CHANCE_DAYS = 30
const UNKNOWN = evidenceOf([], 0)

export function searchEntryOf(node: NodeWire, addedTime: number): SearchEntry {
  const rate = BigInt(node.ratePerMonth)
  const units = node.gpu.num > 0 ? node.gpu.num : node.cpu.num
  return {
    node,
    text: `${node.nodename}\n${node.gpu.model}\n${node.cpu.model}`.toLowerCase(),
    rate,
    unitRate: rate / BigInt(Math.max(1, units)),
    roughRate: Number(node.ratePerMonth),
    pledge: BigInt(node.pledge),
    addedTime,
    chance: uninterruptedChance(node.reliability ?? UNKNOWN, CHANCE_DAYS),
    key: `${node.cp}|${String(node.id).padStart(20, '0')}`,
  }
}
