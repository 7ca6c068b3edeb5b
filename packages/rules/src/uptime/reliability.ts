/** What monitors observed of a node on one day (UTC). */
export interface DayRecord {
  /** Days since 1970-01-01. */
  day: number
  /**
   * Seconds in which at least two monitors observed the node, 0 to 86,400, without announced maintenance, weighted by who had bought it.
   */
  observedSeconds: number
  /** Outages of more than five minutes that began on this day. */
  outages: number
  /** Orders that the provider dropped or never started. */
  brokenOrders: number
}

/** The records summed up, with the prior added and halved per year of age. */
export interface Evidence {
  /** Outages; a broken order counts as three. */
  failures: number
  /** Days observed. */
  observedDays: number
}

/** The weight of evidence halves every this many days. */
const HALF_LIFE_DAYS = 365
/** The prior: without evidence, a node is assumed to fail every ten days. */
const PRIOR: Evidence = { failures: 1, observedDays: 10 }
const BROKEN_ORDER_WEIGHT = 3
/** Of a node that was observed for less, the chance is mostly the prior. */
const MEASURED_FROM_DAYS = 7
/** How long evidence is kept; older evidence is not requested. */
export const EVIDENCE_DAYS = 400

/**
 * Sums up records as of the day `today`. Days in the future or older than 400 days are ignored; unobserved time counts for nothing.
 * @example evidenceOf([], 20_000) // { failures: 1, observedDays: 10 }
 */
export function evidenceOf(records: readonly DayRecord[], today: number): Evidence {
  let { failures, observedDays } = PRIOR
  for (const { day, observedSeconds, outages, brokenOrders } of records) {
    const age = today - day
    if (age < 0 || age > EVIDENCE_DAYS) continue
    const weight = 2 ** (-age / HALF_LIFE_DAYS)
    failures += weight * (outages + BROKEN_ORDER_WEIGHT * brokenOrders)
    observedDays += (weight * Math.min(observedSeconds, 86_400)) / 86_400
  }
  return { failures, observedDays }
}

/**
 * The probability, 0 to 1, of no outage of more than five minutes in the next `days` days. Outages are a Poisson process whose rate has a
 * Gamma prior: `R(L) = (b / (b + L))^a` (the predictive distribution of the Gamma-Poisson model: Gelman et al., Bayesian Data Analysis,
 * 3rd ed., 2.6), with `a` the failures and `b` the observed days.
 * @example uninterruptedChance({ failures: 1, observedDays: 10 }, 30) // 0.25
 */
export function uninterruptedChance({ failures, observedDays }: Evidence, days: number): number {
  return (observedDays / (observedDays + days)) ** failures
}

/**
 * `uninterruptedChance` computed from a node's records.
 * @example reliability([], { today: 20_000, days: 30 }) // 0.25: nothing is known
 */
export function reliability(records: readonly DayRecord[], { today, days }: { today: number; days: number }): number {
  return uninterruptedChance(evidenceOf(records, today), days)
}

/**
 * Whether the chance rests on what was observed. Until then a node is new: say what was seen of it, not the chance.
 * @param seenDays days in which monitors observed the node.
 * @example isMeasured({ seenDays: 0.01 }) // false
 */
export const isMeasured = ({ seenDays }: { seenDays: number }): boolean => seenDays >= MEASURED_FROM_DAYS
