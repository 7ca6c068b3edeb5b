import type { Address } from 'viem'

/** What a key of a purse may do, as the contract counts it. */
const BITS = { buy: 1, extend: 2, end: 4, deploy: 8, workspace: 16 } as const
const ANY_PROVIDER = 32

/**
 * `extend` includes moving an order to the next version of the market, `workspace` signing in. `end`, `deploy` and `workspace` are for
 * orders that the key bought, or that the owner assigned to it.
 */
export type PurseRight = keyof typeof BITS
export const PURSE_RIGHTS = Object.keys(BITS) as PurseRight[]

/** As much as the contract can express: no limit. */
export const NO_LIMIT = 2n ** 96n - 1n

/** The limits of a key. Amounts are wei of Credit. */
export interface KeyLimits {
  /** What it may spend at once; what is refunded counts again. */
  totalWei: bigint
  /** What is added a day, up to the total. Defaults to nothing. */
  refillWei?: bigint | undefined
  /** Highest price of a machine per month of 30 days. Defaults to any. */
  maxMonthWei?: bigint | undefined
  /** Highest price per GPU and hour. Defaults to any. */
  maxGpuHourWei?: bigint | undefined
  /** The longest time, in hours, that an order may have ahead of it. Defaults to 120 months. */
  maxTermHours?: number | undefined
  /** Unix seconds. */
  validUntil: number
  /** Defaults to all. */
  rights?: readonly PurseRight[] | undefined
  /** At most 64. Defaults to every provider. */
  providers?: readonly Address[] | undefined
}

const MAX_TERM_HOURS = 120 * 30 * 24

/** The arguments of the contract's `grant` and `change`, after the key. */
export function limitsArgument(limits: KeyLimits) {
  const { rights = PURSE_RIGHTS, providers } = limits
  return [
    {
      total: limits.totalWei,
      refill: limits.refillWei ?? 0n,
      maxRate: limits.maxMonthWei ?? NO_LIMIT,
      maxGpuHour: limits.maxGpuHourWei ?? NO_LIMIT,
      maxTerm: limits.maxTermHours ?? MAX_TERM_HOURS,
      validUntil: limits.validUntil,
      rights: rights.reduce((sum, right) => sum | BITS[right], providers === undefined ? ANY_PROVIDER : 0),
    },
    [...(providers ?? [])],
  ] as const
}

/** The rights that a number of the contract names, and whether it may use every provider. */
export function rightsOf(bits: number): { rights: PurseRight[]; isAnyProvider: boolean } {
  return { rights: PURSE_RIGHTS.filter((right) => (bits & BITS[right]) !== 0), isAnyProvider: (bits & ANY_PROVIDER) !== 0 }
}
