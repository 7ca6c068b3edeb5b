/** Periods in a month of 30 days. */
const PAY_PERIODS = 90n

/**
 * What a period pays each monitor that shows the sample of its report, in wei: a ninetieth of the pool, divided by the number of monitors with a seat.
 * @example monitorPayWei(900n * 10n ** 18n, 5) // 2n * 10n ** 18n
 */
export function monitorPayWei(poolWei: bigint, monitors: number): bigint {
  return monitors === 0 ? 0n : poolWei / (PAY_PERIODS * BigInt(monitors))
}
