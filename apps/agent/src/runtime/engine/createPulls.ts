import { AppError } from '@rackfair/rules/errors/AppError'
import type { PullProgress } from '../registry/fetchImage.ts'

type OnPull = (progress: PullProgress) => void
type Pull = (tell: OnPull, signal: AbortSignal) => Promise<string>

interface Running {
  orders: Map<bigint, OnPull>
  ended: AbortController
  done: Promise<string>
}

/** Pulls by the digests of their images: orders that want the same one wait for the same pull, which ends with the last of them. */
export function createPulls() {
  const running = new Map<string, Running>()

  const begin = (digest: string, pull: Pull): Running => {
    const orders = new Map<bigint, OnPull>()
    const ended = new AbortController()
    const tell: OnPull = (progress) => {
      for (const onPull of orders.values()) onPull(progress)
    }
    const done = pull(tell, ended.signal).finally(() => running.delete(digest))
    const one = { orders, ended, done }
    running.set(digest, one)
    return one
  }

  return {
    runs: (digest: string): boolean => running.has(digest),

    /** Waits for the pull of another order, whose failure may be its own: of its account or its disk. Then by `pull`. */
    async join(digest: string, orderId: bigint, onPull: OnPull, pull: Pull): Promise<string> {
      for (let other = running.get(digest); other; other = running.get(digest)) {
        other.orders.set(orderId, onPull)
        const imageId = await other.done.catch(() => undefined)
        if (imageId !== undefined) return imageId
      }
      const mine = begin(digest, pull)
      mine.orders.set(orderId, onPull)
      return mine.done
    },

    /** An order is over: resolves once nothing is fetched for it alone. */
    async leave(orderId: bigint): Promise<void> {
      for (const { orders, ended, done } of [...running.values()]) {
        if (!orders.delete(orderId) || orders.size > 0) continue
        ended.abort(new AppError('agent_busy', 'the order was cleaned while its image was fetched', { retryable: true }))
        await done.catch(() => {})
      }
    },
  }
}
