import { setTimeout as sleep } from 'node:timers/promises'
import type { Market } from '@rackfair/sdk'

const POLL_MS = 200

/**
 * Waits until the platform has read the chain up to a block, so that the next command sees what this one did.
 *
 * Never throws, and ends after `withinMs`: a platform that is behind, away or answers nonsense does not undo what was paid.
 */
export async function untilIndexed(
  api: Pick<Market['api'], 'global'>,
  block: bigint,
  signal: AbortSignal,
  withinMs = 30_000,
): Promise<void> {
  const inTime = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
  while (!inTime.aborted) {
    const seen = await api.global({ minBlock: block, signal: inTime }).catch(() => undefined)
    if (Number(seen?.block) >= Number(block)) return
    await sleep(POLL_MS, undefined, { signal: inTime }).catch(() => {})
  }
}
