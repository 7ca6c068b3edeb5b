import { rpc } from './rpc.ts'

/** Half a day of empty ones, 14 MB of state. */
const MAX_NEW_BLOCKS = 8_640
const POLL_MS = 60_000

/**
 * Restarts the chain each time it has added so many blocks, because a start drops the old empty ones. For the other processes it is away
 * for a few seconds. Returns a function that stops it.
 */
export function keepCompact(
  rpcUrl: string,
  restart: () => Promise<void>,
  { maxNewBlocks = MAX_NEW_BLOCKS, pollMs = POLL_MS } = {},
): () => void {
  let since: number | undefined
  let isBusy = false
  const poll = async () => {
    const answer = await rpc(rpcUrl, 'eth_blockNumber')
    if (answer === undefined) return
    const height = Number(answer)
    since ??= height
    if (height - since < maxNewBlocks) return
    await restart()
    since = undefined
  }
  const timer = setInterval(async () => {
    if (isBusy) return
    isBusy = true
    // A chain that is being started again is asked at the next poll.
    await poll().catch(() => {})
    isBusy = false
  }, pollMs)
  return () => clearInterval(timer)
}
