import type { LowerCaseAddress } from '@rackfair/rules/address'
import { neededVotes } from '@rackfair/rules/uptime/epoch'

/**
 * How a test ended. `late` and `wrong` are failures; the last three are reasons for an agent to decline: a renter uses the memory, the
 * week's test time is spent, the memory that is sold is not free.
 */
export const HARDWARE_OUTCOMES = ['passed', 'late', 'wrong', 'in_use', 'time_spent', 'memory_taken'] as const
export type HardwareOutcome = (typeof HARDWARE_OUTCOMES)[number]

/** A machine with much memory is tested once a week, and may be sold on the day its next test is due. */
export const VERIFIED_SECONDS = 8 * 86_400

/** A monitor's finding on a node at a beacon, as far as verification depends on it. */
export interface HardwareFinding {
  monitor: LowerCaseAddress
  beacon: string
  rev: number
  hardwareClass: number
  outcome: HardwareOutcome
  /** Unix seconds. */
  time: number
  /** Monitors drawn for the node at that time, whether or not this one is among them. */
  drawn: readonly LowerCaseAddress[]
}

export interface Verification {
  /** Outcome of the newest test that enough monitors took part in. */
  outcome: 'passed' | 'failed'
  hardwareClass: number
  time: number
  /** Monitors that agree, and how many have to. */
  agreed: number
  needed: number
  beacon: string
}

/**
 * What monitors agree on for a node: among tests of its current revision, the newest that more than half of the monitors drawn for it
 * passed or failed. A test that was declined changes nothing: the earlier result merely ages.
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

/** Whether a node counts as verified at a moment: its newest test was passed, in this class or a higher one, and is not older than that. */
export const isVerified = (
  verification: Pick<Verification, 'outcome' | 'hardwareClass' | 'time'> | undefined,
  now: number,
  { minClass = 1, maxAge = VERIFIED_SECONDS }: { minClass?: number; maxAge?: number } = {},
): boolean => verification?.outcome === 'passed' && verification.hardwareClass >= minClass && now - verification.time <= maxAge
