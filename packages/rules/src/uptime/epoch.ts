/** How the contract `Monitors` of a chain counts time; epochs and periods are counted from unix time 0, as in `libraries/Epochs.sol`. */
export interface Pace {
  /** 1 to 300. */
  epochSeconds: number
  /** 8 to 96, a multiple of 8. */
  epochsPerPeriod: number
}

/** Epochs of five minutes and periods of eight hours: every chain but 2985. */
export const PRODUCTION_PACE: Pace = { epochSeconds: 300, epochsPerPeriod: 96 }

/** Bits of a report: no period has more epochs. */
export const MAX_EPOCHS_PER_PERIOD = 96

/**
 * Epochs, periods and deadlines at a pace. Times are unix seconds.
 * @example createCalendar(PRODUCTION_PACE).epochAt(600) // 2
 */
export function createCalendar({ epochSeconds, epochsPerPeriod }: Pace) {
  const periodSeconds = epochSeconds * epochsPerPeriod
  const epochAt = (time: number): number => Math.floor(time / epochSeconds)
  const periodOf = (epoch: number): number => Math.floor(epoch / epochsPerPeriod)
  return {
    epochSeconds,
    epochsPerPeriod,
    periodSeconds,
    /** The window to commit to a report, and then the one to reveal it: an hour, for a period of eight. */
    windowSeconds: periodSeconds / 8,
    /** From a finding until it is final: four hours, for a period of eight. */
    challengeSeconds: periodSeconds / 2,
    epochAt,
    periodOf,
    periodAt: (time: number): number => periodOf(epochAt(time)),
    firstEpoch: (period: number): number => period * epochsPerPeriod,
    startOf: (period: number): number => period * periodSeconds,
    endOf: (period: number): number => (period + 1) * periodSeconds,
  }
}
export type Calendar = ReturnType<typeof createCalendar>

/** Votes needed where `assigned` monitors are assigned: more than half, at least two. */
export const neededVotes = (assigned: number): number => Math.max(2, Math.floor(assigned / 2) + 1)

/** Monitors needed to contest a finding, of `all` that could have been drawn: more than a third, at least two. */
export const neededToContest = (all: number): number => Math.max(2, Math.floor(all / 3) + 1)

/**
 * The epochs that at least `needed` of the reports mark as down. Bit i of each is epoch i of the period.
 * @example agreedDown([0b011n, 0b110n, 0b010n], 2) // 0b010n
 */
export function agreedDown(downs: readonly bigint[], needed: number): bigint {
  let agreed = 0n
  for (let epoch = 0n; epoch < MAX_EPOCHS_PER_PERIOD; epoch += 1n) {
    const votes = downs.filter((down) => (down >> epoch) & 1n).length
    if (votes >= needed) agreed |= 1n << epoch
  }
  return agreed
}

/**
 * The epochs of a period, as a bitmap, that lie entirely between `from` (inclusive) and `until` (exclusive) in unix time: those that an
 * order had.
 * @example epochsWithin(createCalendar(PRODUCTION_PACE), 0, 300, 900) // 0b110n
 */
export function epochsWithin(calendar: Calendar, period: number, from: number, until: number): bigint {
  const { epochSeconds, epochsPerPeriod } = calendar
  const start = calendar.startOf(period)
  const low = Math.max(0, Math.ceil((from - start) / epochSeconds))
  const high = Math.min(epochsPerPeriod, Math.floor((until - start) / epochSeconds))
  return low < high ? (1n << BigInt(high)) - (1n << BigInt(low)) : 0n
}

/** The epochs of a period's bitmap, counted from unix time 0, in ascending order. */
export function epochsOf({ epochsPerPeriod, firstEpoch }: Calendar, period: number, bits: bigint): number[] {
  const epochs: number[] = []
  for (let epoch = 0; epoch < epochsPerPeriod; epoch += 1)
    if ((bits >> BigInt(epoch)) & 1n) epochs.push(firstEpoch(period) + epoch)
  return epochs
}

/** Consecutive epochs: `first` and `last` are both included. */
export interface EpochRun {
  first: number
  last: number
}

/** Merges epochs into runs; they may be unordered and repeated. */
export function epochRuns(epochs: Iterable<number>): EpochRun[] {
  const runs: EpochRun[] = []
  for (const epoch of [...new Set(epochs)].sort((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run?.last === epoch - 1) run.last = epoch
    else runs.push({ first: epoch, last: epoch })
  }
  return runs
}

/** All epochs of the runs. */
export function epochsOfRuns(runs: readonly EpochRun[]): Set<number> {
  const epochs = new Set<number>()
  for (const { first, last } of runs) for (let epoch = first; epoch <= last; epoch += 1) epochs.add(epoch)
  return epochs
}
