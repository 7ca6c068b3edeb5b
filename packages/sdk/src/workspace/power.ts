import { FRAME, readFrames } from '@rackfair/protocol/frames'
import { AppError } from '@rackfair/rules/errors/AppError'
import { toWorkspaceError } from './toWorkspaceError.ts'
import type { Workspace } from './Workspace.ts'

/** `redeploy` recreates the container from the same image. */
export type PowerAction = 'restart' | 'stop' | 'start' | 'redeploy'

/**
 * Stops the application of an order, starts a stopped one, or restarts it. The data on the order's disk stays, and the order keeps running.
 * Resolves once the start is under way, or the application has stopped; the deployment reports the progress.
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
