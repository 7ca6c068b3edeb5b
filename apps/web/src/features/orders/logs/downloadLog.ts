import { decodeLogBatch, FRAME, readFrames } from '@rackfair/core'
import type { Workspace } from '@rackfair/sdk/workspace'

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
  const url = URL.createObjectURL(new Blob(parts, { type: 'text/plain' }))
  Object.assign(document.createElement('a'), { href: url, download: `order-${orderId}.log` }).click()
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS)
}

/** Browsers read the file shortly after the press. */
const REVOKE_MS = 60_000
