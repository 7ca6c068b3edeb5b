import { FRAME, readFrames } from '@rackfair/protocol/frames'
import { decodeLogBatch, MAX_LOG_BYTES } from '@rackfair/protocol/logLines'
import { AppError } from '@rackfair/rules/errors/AppError'
import { logsOfServices, type Workspace } from '@rackfair/sdk/workspace'
import { saveFile } from '../../../platform/browser/saveFile.ts'

const NEWLINE = new Uint8Array([10])
/** Of lines that are held apart; a browser holds what is one in its own way. */
const PARTS = 10_000
/** More than is kept of any order: what the machine did comes on top of the application's output. */
const MAX_BYTES = 2 * MAX_LOG_BYTES

/**
 * Everything that is kept of an order's log, byte for byte as it was written, as a file of this browser. Of several services, each line
 * stands behind the name of its own.
 * @throws AppError `payload_too_large` if there is more than machines keep.
 */
export async function downloadLog(workspace: Workspace, orderId: string, services?: readonly string[]): Promise<void> {
  if (services) return downloadAll(workspace, orderId, services)
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

async function downloadAll(workspace: Workspace, orderId: string, services: readonly string[]): Promise<void> {
  const encoder = new TextEncoder()
  let parts: Uint8Array<ArrayBuffer>[] = []
  const blobs: Blob[] = []
  let size = 0
  let open: string | undefined
  for await (const { bytes, more, service, source } of logsOfServices(workspace, services)) {
    const whose = `${service} ${source}`
    const begin = open === whose ? '' : `${open === undefined ? '' : '\n'}${service ?? '-'} | `
    parts.push(encoder.encode(begin), new Uint8Array(bytes), ...(more ? [] : [NEWLINE]))
    open = more ? whose : undefined
    size += bytes.length
    if (size > services.length * MAX_BYTES)
      throw new AppError('payload_too_large', `the log is larger than ${services.length * MAX_BYTES} bytes`)
    if (parts.length < PARTS) continue
    blobs.push(new Blob(parts))
    parts = []
  }
  saveFile(`order-${orderId}.log`, new Blob([...blobs, ...parts], { type: 'text/plain' }))
}
