import { FRAME, readFrames } from '@rackfair/protocol/frames'
import { StreamError } from '@rackfair/sealed'
import { withStream } from './exec.ts'
import type { Workspace } from './Workspace.ts'

/** On a path of the application's container. A folder goes with all that is in it. */
export type FileChange = { op: 'mkdir' | 'remove'; path: string } | { op: 'rename'; path: string; to: string }

/**
 * Makes a folder, renames or removes.
 *
 * @throws AppError `file_exists`, `file_not_found`, `file_refused`; retryable: `stream_interrupted`.
 * @example await changeFiles(workspace, { op: 'mkdir', path: '/data/results' })
 */
export async function changeFiles(workspace: Workspace, request: FileChange): Promise<void> {
  await withStream(workspace, 'files', request, undefined, async (stream) => {
    for await (const { type } of readFrames(stream.incoming)) if (type === FRAME.json) return
    throw new StreamError('stream_interrupted', 'the machine did not say whether it was done')
  })
}
