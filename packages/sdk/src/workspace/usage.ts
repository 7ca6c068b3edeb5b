import { readFrames } from '@rackfair/protocol/frames'
import { type UsageLimits, type UsagePoint, usageMessage } from '@rackfair/protocol/workspaceAnswers'
import type { UsageRequest } from '@rackfair/protocol/workspaceRequests'
import { StreamError } from '@rackfair/sealed'
import { readJsonFrames, withStream } from './exec.ts'
import type { Workspace } from './Workspace.ts'

export interface Usage {
  /** The limits bought. */
  limits: UsageLimits
  /** Average of the last two seconds. */
  now: UsagePoint
  /** As requested, oldest first. */
  history: readonly UsagePoint[]
}

/**
 * The resources that an order's application uses, with the limits bought. Takes about two seconds, the interval of the measurement.
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
      const message = usageMessage(answer, 'usage')
      if (message?.type === 'limits') limits = message
      if (message?.type === 'history') points = message.points
      if (message?.type === 'now' && limits) return { limits, history: points, now: message.point }
    }
    throw new StreamError('app_not_running', 'no application runs on the order')
  })
}
