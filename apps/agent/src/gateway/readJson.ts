import type { IncomingMessage } from 'node:http'
import { AppError } from '@rackfair/core'

/** The body of a request to the gateway itself. Throws `text_malformed` if it is too large or not JSON. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw new AppError('text_malformed', 'the request is too large')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    throw new AppError('text_malformed', 'malformed request')
  }
}
