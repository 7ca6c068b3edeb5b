const MICRO_WEI = 10n ** 12n

/** Wei as the height of a drawing: millionths of a dollar, so that cents are seen as well. Never used to compute money. */
export function drawnHeight(wei: bigint): number {
  return Number(wei / MICRO_WEI)
}

/** A height of a drawing as an amount that can be written. */
export function weiOfHeight(height: number): bigint {
  return BigInt(Math.round(height)) * MICRO_WEI
}
