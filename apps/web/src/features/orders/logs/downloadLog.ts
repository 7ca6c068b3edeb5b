import { decodeLogBatch, FRAME, readFrames } from '@rackfair/core'
import type { Workspace } from '@rackfair/sdk/workspace'
import { saveFile } from '../../../lib/saveFile.ts'

const NEWLINE = new Uint8Array([10])

/** Everything that is kept of an order's log, byte for byte as it was written, as a file of this browser. */
export async function downloadLog(workspace: Workspace, orderId: string): Promise<void> {
  const stream = await workspace.open('logs', {})
  const parts: Uint8Array<ArrayBuffer>[] = []
  for await (const { type, payload } of readFrames(stream.incoming)) {
    if (type !== FRAME.logBatch) continue
    for (const { bytes, more } of decodeLogBatch(payload).lines) {
      parts.push(new Uint8Array(bytes))
      if (!more) parts.push(NEWLINE)
    }
  }
  saveFile(`order-${orderId}.log`, new Blob(parts, { type: 'text/plain' }))
}
