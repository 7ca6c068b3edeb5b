import { neededVotes } from '../uptime/epoch.ts'

/**
 * How a test ended. `late` and `wrong` are failures; the last three say why an agent did not take it: a tenant has the memory, the week's time is
 * spent, the memory that is sold is not free.
 */
export const HARDWARE_OUTCOMES = ['passed', 'late', 'wrong', 'in_use', 'time_spent', 'memory_taken'] as const
export type HardwareOutcome = (typeof HARDWARE_OUTCOMES)[number]

/** A machine with much memory is tested once a week, and may be sold on the day that its next test is due. */
export const VERIFIED_SECONDS = 8 * 86_400

/** What a monitor found of a node at a beacon, as far as it matters for whether the node is verified. */
export interface HardwareFinding {
  monitor: string
  beacon: string
  rev: number
  hardwareClass: number
  outcome: HardwareOutcome
  /** Unix seconds. */
  time: number
  /** Monitors that were drawn for the node then, this one among them or not. */
  drawn: readonly string[]
}

export interface Verification {
  /** Of the newest test that enough monitors took part in. */
  outcome: 'passed' | 'failed'
  hardwareClass: number
  time: number
  /** Monitors that say so, and those that have to. */
  agreed: number
  needed: number
  beacon: string
}

/**
 * What monitors agree on about a node: of the tests of its present revision, the newest in which more than half of the monitors drawn for it passed it
 * or failed it. Tests that were not taken change nothing: what was shown before grows old.
 */
export function agreedVerification(findings: readonly HardwareFinding[], rev: number): Verification | undefined {
  const tests = Map.groupBy(
    findings.filter((one) => one.rev === rev && one.drawn.includes(one.monitor)),
    ({ beacon, hardwareClass }) => `${beacon} ${hardwareClass}`,
  )
  let newest: Verification | undefined
  for (const all of tests.values()) {
    const found = [...new Map(all.map((one) => [one.monitor, one])).values()]
    const time = Math.max(...found.map((one) => one.time))
    if (newest && time <= newest.time) continue
    const { beacon, hardwareClass, drawn } = found[0] as HardwareFinding
    const needed = neededVotes(drawn.length)
    const passed = found.filter(({ outcome }) => outcome === 'passed').length
    const failed = found.filter(({ outcome }) => outcome === 'late' || outcome === 'wrong').length
    if (passed < needed && failed < needed) continue
    const isPassed = passed >= needed
    newest = {
      ...{ outcome: isPassed ? 'passed' : 'failed', agreed: isPassed ? passed : failed },
      ...{ hardwareClass, time, needed, beacon },
    }
  }
  return newest
}

/** Whether a node counts as verified at a moment: its newest test was passed, in this class or a higher one, and not longer ago. */
export const isVerified = (
  verification: Pick<Verification, 'outcome' | 'hardwareClass' | 'time'> | undefined,
  now: number,
  { minClass = 1, maxAge = VERIFIED_SECONDS }: { minClass?: number; maxAge?: number } = {},
): boolean => verification?.outcome === 'passed' && verification.hardwareClass >= minClass && now - verification.time <= maxAge
