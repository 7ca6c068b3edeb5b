import { readFrames } from '@rackfair/core'
import type { UsageRequest } from '@rackfair/core/wire'
import { StreamError } from '@rackfair/sealed'
import { readJsonFrames, withStream } from './exec.ts'
import { readUsageMessage, type UsageLimits, type UsagePoint } from './read/usage.ts'
import type { Workspace } from './Workspace.ts'

export interface Usage {
  /** What was bought. */
  limits: UsageLimits
  /** The mean of the last two seconds. */
  now: UsagePoint
  /** As it was asked for, the oldest first. */
  history: readonly UsagePoint[]
}

/**
 * What an order's application uses of what was bought. Takes about two seconds, over which it is measured.
 *
 * @throws AppError `app_not_running`, `provider_offline` (retryable).
 * @example const { now, limits } = await usage(workspace)
 */
export async function usage(
  workspace: Workspace,
  { history, signal }: { history?: UsageRequest['history']; signal?: AbortSignal } = {},
): Promise<Usage> {
  let limits: UsageLimits | undefined
  let points: readonly UsagePoint[] = []
  const request = { live: true, ...(history === undefined ? {} : { history }) }
  return withStream(workspace, 'usage', request, signal, async (stream) => {
    for await (const answer of readJsonFrames(readFrames(stream.incoming))) {
      const message = readUsageMessage(answer)
      if (message?.type === 'limits') limits = message.limits
      if (message?.type === 'history') points = message.points
      if (message?.type === 'now' && limits) return { limits, history: points, now: message.point }
    }
    throw new StreamError('app_not_running', 'no application runs on the order')
  })
}
