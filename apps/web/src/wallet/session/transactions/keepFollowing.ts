import { toAppError } from '@rackfair/sdk'
import { noteBlock } from '../../../platform/api/knownBlock.ts'
import type { FollowOptions } from './follow.ts'
import { refreshLive } from './refreshLive.ts'

const ENDS: readonly string[] = ['transaction_reverted', 'transaction_replaced']
/** After the first time is over nobody waits for it on the screen any more. */
const SLOWLY = { pollMs: 15_000 }
const AGAIN_MS = 5000

/** Follows a stored transaction for as long as the page is open, until it ends one way or the other. Never throws. */
export async function keepFollowing(
  track: (options: FollowOptions) => Promise<{ blockNumber: bigint }>,
  first: FollowOptions = {},
) {
  for (let options = first; ; options = SLOWLY) {
    try {
      noteBlock((await track(options)).blockNumber)
      refreshLive()
      return
    } catch (error) {
      if (ENDS.includes(toAppError(error).code)) return
    }
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

export const FOLLOW_SLOWLY: FollowOptions = SLOWLY
