import type { IncomingMessage } from 'node:http'
import { AppError } from '@rackfair/rules/errors/AppError'

const TIMEOUT_MS = 10_000

/**
 * The body of a request to the gateway itself. Throws `text_malformed` if it is too large or not JSON; a body that is not there after
 * `timeoutMs` milliseconds loses its connection.
 */
export async function readJson(request: IncomingMessage, maxBytes: number, timeoutMs = TIMEOUT_MS): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  const late = setTimeout(() => request.destroy(), timeoutMs)
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new AppError('text_malformed', 'the request is too large')
      chunks.push(chunk)
    }
  } finally {
    clearTimeout(late)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new AppError('text_malformed', 'malformed request')
  }
}
