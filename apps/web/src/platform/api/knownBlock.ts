let known = 0

/** The newest block that this page has seen a receipt of. Reads ask the platform to have indexed it first. */
export function knownBlock(): number {
  return known
}

export function noteBlock(block: number | bigint): void {
  known = Math.max(known, Number(block))
}

/** Called with the block of every answer: once the platform has caught up, reads need not wait any more. */
export function forgetBlock(indexed: number): void {
  if (indexed >= known) known = 0
}
