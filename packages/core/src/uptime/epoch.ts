/** Downtime is counted in epochs, reported in periods; both are counted from Unix time 0, as `libraries/Epochs.sol` does. */
export const EPOCH_SECONDS = 300
export const EPOCHS_PER_PERIOD = 96
export const PERIOD_SECONDS = EPOCH_SECONDS * EPOCHS_PER_PERIOD

/** The epoch at a Unix time in seconds. */
export const epochAt = (time: number): number => Math.floor(time / EPOCH_SECONDS)

/** The period of an epoch. */
export const periodOf = (epoch: number): number => Math.floor(epoch / EPOCHS_PER_PERIOD)

/** Monitors that have to agree where `assigned` are assigned: more than half, two at least. */
export const neededVotes = (assigned: number): number => Math.max(2, Math.floor(assigned / 2) + 1)

/**
 * The epochs in which at least `needed` of the reports say that it was down. Bit i of each is epoch i of the period.
 * @example agreedDown([0b011n, 0b110n, 0b010n], 2) // 0b010n
 */
export function agreedDown(downs: readonly bigint[], needed: number): bigint {
  let agreed = 0n
  for (let epoch = 0n; epoch < EPOCHS_PER_PERIOD; epoch += 1n) {
    const votes = downs.filter((down) => (down >> epoch) & 1n).length
    if (votes >= needed) agreed |= 1n << epoch
  }
  return agreed
}
