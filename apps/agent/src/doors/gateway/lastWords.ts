import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'

/** How long a visitor may take to hear them. */
const LAST_WORD_MS = 1_000

/** Refuses a request to switch protocols. The connection ends, whether or not its visitor closes the other side. */
export function refuseUpgrade(socket: Duplex, status: string): void {
  socket.resume()
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
  destroyLater(socket, () => socket.destroy())
}

/** Ends a WebSocket with a reason: from then on nothing that comes of it is handled, and it is cut where the visitor does not close it. */
export function endWebSocket(socket: WebSocket, code: number, reason: string): void {
  socket.removeAllListeners('message')
  // Unread messages would keep the visitor's own close from being seen.
  socket.resume()
  socket.close(code, reason)
  destroyLater(socket, () => socket.terminate())
}

function destroyLater(socket: Duplex | WebSocket, destroy: () => void): void {
  const timer = setTimeout(destroy, LAST_WORD_MS)
  socket.once('close', () => clearTimeout(timer))
}
