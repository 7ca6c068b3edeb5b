import { pause } from '../pause.ts'

/** Steps between two pauses. A step is a hash or two, so this is a few milliseconds. */
const STEPS_AT_ONCE = 256

/** A long calculation as short steps. */
export type Steps<T> = Generator<void, T, void>

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** Lets the thread do other work every few steps. */
export async function withPauses<T>(steps: Steps<T>): Promise<T> {
  for (let count = 1; ; count += 1) {
    const step = steps.next()
    if (step.done) return step.value
    if (count % STEPS_AT_ONCE === 0) await pause(0)
  }
}
