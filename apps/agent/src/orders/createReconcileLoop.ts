/** Reconciles at an interval, and at once when something is known to have changed. */
export function createReconcileLoop(intervalMs: number) {
  let stopped = false
  let waiting: (() => void) | undefined
  let again = false
  let running: Promise<void> = Promise.resolve()
  const wake = () => {
    again = true
    waiting?.()
  }
  const run = async (reconcile: () => Promise<unknown>) => {
    while (!stopped) {
      again = false
      await reconcile()
      await new Promise<void>((resolve) => {
        if (again) return resolve()
        waiting = resolve
        setTimeout(resolve, intervalMs).unref()
      })
    }
  }

  return {
    wake,
    start(reconcile: () => Promise<unknown>): void {
      running = run(reconcile)
    },
    /** Starts no further reconciliation; `ended` resolves when the last one has finished. */
    stop(): void {
      stopped = true
      wake()
    },
    ended: () => running,
  }
}
