import { MONTH_SECONDS } from '../duration.ts'

/** The resources of a node that an order takes: processors, GPUs, memory in GB, storage in GB. */
export interface Resources {
  nCPU: number
  nGPU: number
  nMEM: number
  nDISK: number
}

/** Prices per unit and month, wei of Credit; each a multiple of 1e9. */
export interface UnitPrices {
  pCPU: bigint
  pGPU: bigint
  pMEM: bigint
  pDISK: bigint
}

/** The price of all resources for one month, in wei. Exact. */
export function ratePerMonthWei(resources: Resources, prices: UnitPrices): bigint {
  return (
    BigInt(resources.nCPU) * prices.pCPU +
    BigInt(resources.nGPU) * prices.pGPU +
    BigInt(resources.nMEM) * prices.pMEM +
    BigInt(resources.nDISK) * prices.pDISK
  )
}

/** `A(t) = floor(rate * t / MONTH)`: the price of `seconds` of service, in wei, rounded down. Negative seconds cost nothing. */
export function accruedWei(rateWei: bigint, seconds: bigint | number): bigint {
  return seconds <= 0 ? 0n : (rateWei * BigInt(seconds)) / BigInt(MONTH_SECONDS)
}

/** The total price of an order: `A(duration)`. */
export function orderFeeWei(rateWei: bigint, durationSeconds: number): bigint {
  return accruedWei(rateWei, durationSeconds)
}

/** The price of an extension: `A(duration + more) - A(duration)`, so that no split of extensions changes the sum. */
export function extensionFeeWei(rateWei: bigint, durationSeconds: number, moreSeconds: number): bigint {
  return orderFeeWei(rateWei, durationSeconds + moreSeconds) - orderFeeWei(rateWei, durationSeconds)
}

/**
 * The commission on a payment of `grossWei` that follows `paidWei`, rounded so that no split of payments changes the sum:
 * `floor((paid + gross) * bps / 1e4) - floor(paid * bps / 1e4)`.
 */
export function commissionWei(paidWei: bigint, grossWei: bigint, commissionBps: number): bigint {
  const bps = BigInt(commissionBps)
  return ((paidWei + grossWei) * bps) / 10_000n - (paidWei * bps) / 10_000n
}

/** For display only: what one second costs, rounded down. Money is never computed from it. */
export function pricePerSecondWei(pricePerMonthWei: bigint): bigint {
  return pricePerMonthWei / BigInt(MONTH_SECONDS)
}
