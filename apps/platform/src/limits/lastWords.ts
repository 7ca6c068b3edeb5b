import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** How long the other side may take to hear them. */
const LAST_WORD_MS = 1_000

/** Refuses a request to switch protocols. The connection ends, whether or not its caller closes the other side. */
export function refuseUpgrade(socket: Duplex, status: string, ...headers: readonly string[]): void {
  socket.resume()
  socket.end([`HTTP/1.1 ${status}`, 'Connection: close', ...headers, '', ''].join('\r\n'))
  endLater(socket, () => socket.destroy())
}

/** Ends a WebSocket with a reason: from then on nothing that comes of it is handled, and it is cut where the other side does not close it. */
export function endWebSocket(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message')
  // Unread messages would keep the other side's own close from being seen.
  socket.resume()
  socket.close(code, reason)
  endLater(socket, () => socket.terminate())
}

function endLater(socket: Duplex | WebSocket, end: () => void): void {
  const timer = setTimeout(end, LAST_WORD_MS)
  socket.once('close', () => clearTimeout(timer))
}
