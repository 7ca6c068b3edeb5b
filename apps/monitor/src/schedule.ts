import type { Pace } from '@rackfair/rules/uptime/epoch'

/**
 * A monitor's intervals and timeouts, by the length of an epoch: with five minutes, attempts 15 s apart, 10 s per answer, 90 s per
 * provider, and a report once the last of them is over.
 */
export function scheduleOf({ epochSeconds }: Pick<Pace, 'epochSeconds'>) {
  const epochMs = epochSeconds * 1000
  return {
    /** Interval of checks for a new epoch. */
    observeMs: epochMs / 30,
    /** Interval of checks for something to send. */
    reportMs: epochMs / 4,
    retryMs: epochMs / 20,
    answerMs: Math.min(10_000, epochMs / 5),
    /** Timeout for everything about one provider in an epoch: a slow one must not delay the others. */
    providerMs: Math.min(90_000, epochMs / 2),
    /** From the end of a period until its last epoch is observed. */
    settleSeconds: Math.ceil(Math.min(120, epochSeconds * 0.6)),
  }
}
export type Schedule = ReturnType<typeof scheduleOf>
