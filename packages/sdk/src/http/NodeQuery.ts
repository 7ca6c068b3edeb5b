import type { NodeSort } from '@rackfair/rules/node/sort'
import type { PresetName } from '@rackfair/rules/presets'

/** A search among all nodes. An omitted field does not filter. Memory and disk in GB, prices in USD a month as decimals. */
export interface NodeQuery {
  /** Every word has to occur in the name, the GPU or the CPU. */
  text?: string | undefined
  /** Models, as `encodeList` writes them: any of these. */
  gpu?: string | undefined
  cpu?: string | undefined
  /** An address. */
  provider?: string | undefined
  minMemory?: number | undefined
  minDisk?: number | undefined
  minGpus?: number | undefined
  /** Per GPU, in GB. */
  minVram?: number | undefined
  /** Of all processors together. */
  minCores?: number | undefined
  /**
   * Countries by ISO 3166-1, `EU`, or a part of the world by its number of UN M49 such as `150` for Europe, as `encodeList` writes them: machines
   * that their providers say stand in one of them.
   */
  region?: string | undefined
  /** The least version of the NVIDIA driver, such as `550`; a machine without one does not match. */
  minDriver?: string | undefined
  minPledge?: string | undefined
  minPrice?: string | undefined
  maxPrice?: string | undefined
  /** Values of `TAKES`, as `encodeList` writes them: all of these. */
  takes?: string | undefined
  /** Machines that meet this application's requirements, of providers that take it or have not said. */
  runs?: PresetName | undefined
  /** How long it is wanted, such as `2h`: machines that are sold for as little. */
  for?: string | undefined
  /** Percent: the probability of 30 days without an outage. */
  minReliability?: number | undefined
  /** Whether monitors verified the hardware recently. */
  verified?: true | undefined
  idle?: boolean | undefined
  online?: boolean | undefined
  sort?: NodeSort | undefined
  /** `next` of the previous page. */
  cursor?: string | undefined
  limit?: number | undefined
}
