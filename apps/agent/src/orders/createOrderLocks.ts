/** Serialises the work on each order. */
export function createOrderLocks() {
  const tails = new Map<bigint, Promise<unknown>>()
  const waiting = new Map<bigint, Promise<void>>()

  const exclusive = <T>(orderId: bigint, work: () => Promise<T>): Promise<T> => {
    const before = tails.get(orderId) ?? Promise.resolve()
    const mine = before.then(work, work)
    const tail = mine.catch(() => {})
    tails.set(orderId, tail)
    tail.then(() => {
      if (tails.get(orderId) === tail) tails.delete(orderId)
    })
    return mine
  }

  return {
    exclusive,
    /** Like `exclusive`, but calls join one that is still queued: the work reads the newest state anyway. */
    latest(orderId: bigint, work: () => Promise<void>): Promise<void> {
      const queued = waiting.get(orderId)
      if (queued) return queued
      const run = exclusive(orderId, () => {
        waiting.delete(orderId)
        return work()
      })
      waiting.set(orderId, run)
      return run
    },
    idle: async () => {
      while (tails.size > 0) await Promise.all(tails.values())
    },
  }
}
