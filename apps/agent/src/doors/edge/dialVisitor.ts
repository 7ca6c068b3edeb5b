import { connect, isIP, type Socket } from 'node:net'
import { type DoorVisitor, MAX_VISITOR_LINE, parseDoorVisitor } from '@rackfair/protocol/door'

const CONNECT_MS = 10_000
/** As for connections that a server accepts. */
const OPTIONS = { allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }

/**
 * Dials a connection for a ticket of an edge. `onVisitor` gets it, paused, once it has a visitor: at once, hours later, or
 * never.
 */
export function dialVisitor(
  { host, port, ticket }: { host: string; port: number; ticket: string },
  onVisitor: (socket: Socket, visitor: DoorVisitor) => void,
): Socket {
  const socket = connect({ ...OPTIONS, host, port })
  socket.on('error', () => socket.destroy())
  socket.setTimeout(CONNECT_MS, () => socket.destroy())
  socket.once('connect', () => socket.setTimeout(0))
  socket.write(`${ticket}\n`)
  let head: Buffer = Buffer.alloc(0)
  const drop = () => void socket.destroy()
  const read = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk])
    const end = head.indexOf('\n')
    if (end < 0) return void (head.length > MAX_VISITOR_LINE && socket.destroy())
    socket.off('data', read).off('end', drop).pause()
    const visitor = parseDoorVisitor(head.toString('latin1', 0, end))
    if (!visitor || isIP(visitor.from) === 0) return drop()
    if (head.length > end + 1) socket.unshift(head.subarray(end + 1))
    onVisitor(socket, visitor)
  }
  socket.on('data', read).on('end', drop)
  return socket
}
