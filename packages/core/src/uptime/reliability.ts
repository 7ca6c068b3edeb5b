/** What monitors saw of a node on one day (UTC). */
export interface DayRecord {
  /** Days since 1970-01-01. */
  day: number
  /** Seconds in which at least two monitors observed the node, 0 to 86,400, without announced maintenance. */
  observedSeconds: number
  /** Outages of more than five minutes that began on this day. */
  outages: number
  /** Orders that the provider dropped or never started. */
  brokenOrders: number
}

/** Evidence counts half after so many days. */
const HALF_LIFE_DAYS = 365
/** Before any evidence a node is taken for one that fails every ten days. */
const PRIOR_OUTAGES = 1
const PRIOR_DAYS = 10
const BROKEN_ORDER_WEIGHT = 3
/** Evidence is kept for as long; what is older is not asked for. */
export const EVIDENCE_DAYS = 400

/**
 * The probability, 0 to 1, that a node has no outage of more than five minutes in the next `days` days. Outages are a Poisson process whose
 * rate has a Gamma prior: `R(L) = (b / (b + L))^a`, with `a` the outages and `b` the observed days, each beside the prior's and halved per
 * year of age (the predictive distribution of the Gamma-Poisson model: Gelman et al., Bayesian Data Analysis, 3rd ed., 2.6).
 * Days of the future and days beyond 400 are ignored; what was not observed counts for nothing.
 * @example reliability([], { today: 20_000, days: 30 }) // 0.25: nothing is known
 */
export function reliability(records: readonly DayRecord[], { today, days }: { today: number; days: number }): number {
  let failures = PRIOR_OUTAGES
  let observedDays = PRIOR_DAYS
  for (const { day, observedSeconds, outages, brokenOrders } of records) {
    const age = today - day
    if (age < 0 || age > EVIDENCE_DAYS) continue
    const weight = 2 ** (-age / HALF_LIFE_DAYS)
    failures += weight * (outages + BROKEN_ORDER_WEIGHT * brokenOrders)
    observedDays += (weight * Math.min(observedSeconds, 86_400)) / 86_400
  }
  return (observedDays / (observedDays + days)) ** failures
}
