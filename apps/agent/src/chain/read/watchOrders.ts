import { marketAbi } from '@rackfair/contracts'
import { singleFlight } from '../../foundation/singleFlight.ts'
import type { ChainView } from './chainView.ts'

/** After a longer gap the next reconciliation covers more than a list of events would. */
const MAX_BLOCKS = 500n

/**
 * Calls `wake` soon after somebody ended or extended one of `orders()`, instead of at the next reconciliation. It is only a shortcut:
 * the next reconciliation finds whatever it misses because the chain does not answer or was reorganised.
 */
export function watchOrders(
  chain: ChainView,
  orders: () => ReadonlySet<bigint>,
  wake: () => void,
  lookMs: number,
): { stop(): void } {
  let seen: bigint | undefined
  const poll = async () => {
    const mine = orders()
    const head = await chain.client.getBlockNumber({ cacheTime: 0 })
    const from = seen === undefined || head - seen > MAX_BLOCKS ? undefined : seen + 1n
    seen = head
    if (mine.size === 0 || from === undefined || from > head) return
    const events = await chain.client.getContractEvents({
      address: chain.addresses.market,
      abi: marketAbi,
      fromBlock: from,
      toBlock: head,
    })
    const concerns = ({ eventName, args }: (typeof events)[number]) =>
      (eventName === 'OrderClosed' || eventName === 'OrderExtended') && args.id !== undefined && mine.has(args.id)
    if (events.some(concerns)) wake()
  }
  const tryPoll = singleFlight(() => poll().catch(() => {}))
  tryPoll()
  const timer = setInterval(tryPoll, lookMs)
  return { stop: () => clearInterval(timer) }
}
