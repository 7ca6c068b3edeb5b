/** Further errors are only counted: what fails over and over must not fill the log. */
const MAX_REPORTED = 10
/** Above this, something is broken for good, and a new start mends more than going on. */
const MAX_PER_MINUTE = 100
const MINUTE_MS = 60_000

export interface ErrorGuardOptions {
  /** Milliseconds of a clock that only moves forward. */
  now: () => number
  /** Writes to the program's log. */
  report: (facts: { reason: string; stack: string; uncaught: number }, message: string) => void
  /** Ends the program as failed, so that whatever started it starts it again. */
  end: () => void
}

export interface ErrorGuard {
  /** An error that nothing handled. Never throws. */
  caught: (error: unknown) => void
  /** From now on the program survives such an error. */
  serving: () => void
  /** Such errors since the start. */
  count: () => number
}

/**
 * Decides what an error does that nothing handled, behind all handlers of its own: while a program serves many, it ends the work that it
 * came from, and is reported and counted. It ends the program during its start, when nobody is served yet, and where there are more than
 * 100 within a minute.
 *
 * @example process.on('uncaughtException', createErrorGuard({ now, report, end }).caught)
 */
export function createErrorGuard({ now, report, end }: ErrorGuardOptions): ErrorGuard {
  const recent: number[] = []
  let total = 0
  let isServing = false
  return {
    caught(error) {
      total += 1
      while (recent[0] !== undefined && now() - recent[0] >= MINUTE_MS) recent.shift()
      recent.push(now())
      const isTooMany = recent.length > MAX_PER_MINUTE
      try {
        if (recent.length <= MAX_REPORTED || isTooMany)
          report(
            { reason: String(error), stack: (error instanceof Error && error.stack) || '', uncaught: total },
            isTooMany
              ? `more than ${MAX_PER_MINUTE} errors within a minute that nothing handled; the program ends, to be started again`
              : isServing
                ? 'an error that nothing handled; what it belongs to may have ended, all else goes on'
                : 'an error that nothing handled ended the start',
          )
      } catch {
        // Where the log is gone, it still serves.
      }
      if (isTooMany || !isServing) end()
    },
    serving() {
      isServing = true
    },
    count: () => total,
  }
}
