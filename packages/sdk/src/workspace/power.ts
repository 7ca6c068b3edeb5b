import { AppError, FRAME, readFrames } from '@rackfair/core'
import { toWorkspaceError } from './toWorkspaceError.ts'
import type { Workspace } from './Workspace.ts'

/** `redeploy` makes the container anew from the same image. */
export type PowerAction = 'restart' | 'stop' | 'start' | 'redeploy'

/**
 * Stops the application of an order, starts one that was stopped, or starts it anew. What the order keeps on its disk stays, and the order
 * goes on. Resolves once it is under way, or stopped; how it goes on is told by the deployment.
 *
 * @throws AppError `app_not_running`, `stream_interrupted` (retryable).
 * @example await power(workspace, 'restart')
 */
export async function power(workspace: Pick<Workspace, 'open'>, action: PowerAction): Promise<void> {
  const stream = await workspace.open('power', { action })
  try {
    for await (const { type } of readFrames(stream.incoming)) if (type === FRAME.json) return
  } catch (error) {
    throw toWorkspaceError(error)
  }
  throw new AppError('stream_interrupted', 'the machine did not say whether it was done', { retryable: true })
}
