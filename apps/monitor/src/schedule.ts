import type { Pace } from '@rackfair/core'

/**
 * How long a monitor takes for what, by the length of an epoch: with five minutes, attempts 15 s apart, an answer within 10 s, a provider within
 * 90 s, and a report once the last of them is over.
 */
export function scheduleOf({ epochSeconds }: Pick<Pace, 'epochSeconds'>) {
  const epochMs = epochSeconds * 1000
  return {
    /** Until a new epoch is noticed. */
    observeMs: epochMs / 30,
    /** Between two checks for what has to be sent. */
    reportMs: epochMs / 4,
    retryMs: epochMs / 20,
    answerMs: Math.min(10_000, epochMs / 5),
    /** For all that is asked of one provider in an epoch: one that answers slowly keeps nobody from observing the others. */
    providerMs: Math.min(90_000, epochMs / 2),
    /** After a period, until its last epoch is observed. */
    settleSeconds: Math.ceil(Math.min(120, epochSeconds * 0.6)),
  }
}
export type Schedule = ReturnType<typeof scheduleOf>
