const MICRO_WEI = 10n ** 12n

/** Wei as the height of a drawing: dollars to the millionth. Never used to compute money. */
export function drawnUsd(wei: bigint): number {
  return Number(wei / MICRO_WEI) / 1e6
}

/** A height of a drawing as an amount that can be written. */
export function weiOfDrawn(usd: number): bigint {
  return BigInt(Math.round(usd * 1e6)) * MICRO_WEI
}
