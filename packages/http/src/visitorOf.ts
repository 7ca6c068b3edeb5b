import type { IncomingMessage } from 'node:http'
import { isLoopback } from './limitConnections.ts'

/**
 * The address of who asks: the last that a proxy on this machine has named, or the other end's. Undefined where a program of this machine
 * asks, or a proxy for somebody whom it does not name.
 */
export function visitorOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string | undefined {
  if (!isLoopback(socket.remoteAddress)) return socket.remoteAddress
  return (
    String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .at(-1)
      ?.trim() || undefined
  )
}
