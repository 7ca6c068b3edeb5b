import type { NodeSort, PresetName } from '@rackfair/core'

/** What is looked for among all nodes. What is left out does not matter. Memory and disk in GB, prices in USD a month as decimals. */
export interface NodeQuery {
  /** Every word is in the name, the GPU or the CPU. */
  text?: string | undefined
  /** Models, as `encodeList` writes them: one of these. */
  gpu?: string | undefined
  cpu?: string | undefined
  /** An address. */
  provider?: string | undefined
  minMemory?: number | undefined
  minDisk?: number | undefined
  minGpus?: number | undefined
  /** Of one GPU. */
  minVram?: number | undefined
  /** Of all processors together. */
  minCores?: number | undefined
  minPledge?: string | undefined
  minPrice?: string | undefined
  maxPrice?: string | undefined
  /** Of `TAKES`, as `encodeList` writes them: all of these. */
  takes?: string | undefined
  /** Machines with what this application needs, of providers that take it or have not said. */
  runs?: PresetName | undefined
  /** Percent, of 30 days without an outage. */
  minReliability?: number | undefined
  /** Whether monitors verified the hardware of late. */
  verified?: true | undefined
  idle?: boolean | undefined
  online?: boolean | undefined
  sort?: NodeSort | undefined
  /** `next` of the page before. */
  cursor?: string | undefined
  limit?: number | undefined
}
