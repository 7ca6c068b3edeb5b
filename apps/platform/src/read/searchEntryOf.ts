import type { NodeWire } from '@rackfair/core/wire'

/** What a search compares, read out of a node once. */
export interface SearchEntry {
  node: NodeWire
  text: string
  rate: bigint
  /** `rate` as a float: where two differ, so do the rates, in the same direction. */
  roughRate: number
  pledge: bigint
  addedTime: number
  key: string
}

export function searchEntryOf(node: NodeWire, addedTime: number): SearchEntry {
  return {
    node,
    text: `${node.nodename}\n${node.gpu.model}\n${node.cpu.model}`.toLowerCase(),
    rate: BigInt(node.ratePerMonth),
    roughRate: Number(node.ratePerMonth),
    pledge: BigInt(node.pledge),
    addedTime,
    key: `${node.cp}|${String(node.id).padStart(20, '0')}`,
  }
}
