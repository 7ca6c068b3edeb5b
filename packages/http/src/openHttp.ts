import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { limitConnections } from './limitConnections.ts'

export interface HttpOptions {
  host: string
  /** 0 for any free one. */
  port: number
  /** Within it a request has arrived with its body. The answer takes as long as it takes. */
  bodyMs: number
}

export interface Http {
  /** Where it listens, without a path. */
  url: string
  /** Takes no more requests, waits for `end`, which ends what is under way, and cuts what is left. */
  close(end: () => Promise<unknown>): Promise<void>
}

const HEADERS_TIMEOUT_MS = 10_000
/** How often Node looks for what is late: every 30 s unless told. */
const LATE_EVERY_MS = 2_000

/**
 * Serves `answer` to strangers: whoever holds connections, or sends slowly, leaves room for others.
 *
 * @throws the system's error if it cannot listen, such as EADDRINUSE
 * @example const { url, close } = await openHttp(answer, { host: '127.0.0.1', port: 0, bodyMs: 30_000 })
 */
export async function openHttp(
  answer: (request: IncomingMessage, response: ServerResponse) => void,
  { host, port, bodyMs }: HttpOptions,
): Promise<Http> {
  const times = {
    headersTimeout: Math.min(HEADERS_TIMEOUT_MS, bodyMs),
    requestTimeout: bodyMs,
    connectionsCheckingInterval: Math.min(LATE_EVERY_MS, bodyMs),
  }
  const server = createServer(times, answer)
  limitConnections(server)
  server.listen(port, host)
  await once(server, 'listening')
  const { port: chosen } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${chosen}`,
    async close(end) {
      const closed = once(server, 'close')
      server.close()
      await end()
      server.closeAllConnections()
      await closed
    },
  }
}
