import { randomBytes } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { parseDoorTicket, TICKET_BYTES } from '@rackfair/protocol/door'
import type { EdgeLimits, EdgeTimes } from './limits.ts'
import { createUnknown } from './limitUnknown.ts'
import { SOCKET_OPTIONS } from './listen.ts'

export type Tickets = ReturnType<typeof createTickets>

/**
 * Tickets by which a connection that an agent dials finds what waits for it. Each is random, opens once, and is gone after `ticketMs`.
 */
export function createTickets({ limits, times }: { limits: EdgeLimits; times: EdgeTimes }) {
  const open = new Map<string, { arrive: (socket: Socket | undefined) => void; timer: NodeJS.Timeout }>()
  const unknown = createUnknown(limits, times.nameMs)
  const close = (ticket: string, socket: Socket | undefined) => {
    const waiting = open.get(ticket)
    if (!waiting) return void socket?.destroy()
    open.delete(ticket)
    clearTimeout(waiting.timer)
    waiting.arrive(socket)
  }
  const server: Server = createServer(SOCKET_OPTIONS, (socket) => {
    socket.on('error', () => {})
    if (!unknown.add(socket)) return
    let head: Buffer = Buffer.alloc(0)
    const drop = () => void socket.destroy()
    const read = (chunk: Buffer) => {
      head = Buffer.concat([head, chunk])
      if (head.length < TICKET_BYTES) return
      socket.off('data', read).off('end', drop).pause()
      unknown.known(socket)
      const ticket = parseDoorTicket(head.toString('latin1', 0, TICKET_BYTES))
      if (ticket === undefined) return void socket.destroy()
      if (head.length > TICKET_BYTES) socket.unshift(head.subarray(TICKET_BYTES))
      close(ticket, socket)
    }
    socket.on('data', read).on('end', drop)
  })
  return {
    server,
    /** Makes a ticket. `arrive` gets the connection that was dialled for it, or undefined if none came in time, or it was dropped. */
    make(arrive: (socket: Socket | undefined) => void): string {
      const ticket = randomBytes(16).toString('hex')
      open.set(ticket, { arrive, timer: setTimeout(() => close(ticket, undefined), times.ticketMs) })
      return ticket
    },
    drop: (ticket: string) => close(ticket, undefined),
  }
}
