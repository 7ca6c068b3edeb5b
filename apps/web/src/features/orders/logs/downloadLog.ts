import { FRAME, readFrames } from '@rackfair/protocol/frames'
import { decodeLogBatch, MAX_LOG_BYTES } from '@rackfair/protocol/logLines'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Workspace } from '@rackfair/sdk/workspace'
import { saveFile } from '../../../platform/browser/saveFile.ts'

const NEWLINE = new Uint8Array([10])
/** More than is kept of any order: what the machine did comes on top of the application's output. */
const MAX_BYTES = 2 * MAX_LOG_BYTES

/**
 * Everything that is kept of an order's log, byte for byte as it was written, as a file of this browser.
 * @throws AppError `payload_too_large` if there is more than machines keep.
 */
export async function downloadLog(workspace: Workspace, orderId: string): Promise<void> {
  const stream = await workspace.open('logs', {})
  const parts: Blob[] = []
  let size = 0
  for await (const { type, payload } of readFrames(stream.incoming)) {
    if (type !== FRAME.logBatch) continue
    const { lines } = decodeLogBatch(payload)
    const part = new Blob(lines.flatMap(({ bytes, more }) => [new Uint8Array(bytes), ...(more ? [] : [NEWLINE])]))
    parts.push(part)
    size += part.size
    if (size > MAX_BYTES) {
      stream.cancel()
      throw new AppError('payload_too_large', `the log is larger than ${MAX_BYTES} bytes`)
    }
  }
  saveFile(`order-${orderId}.log`, new Blob(parts, { type: 'text/plain' }))
}
