import type { Socket } from 'node:net'
import { type DoorKind, formatDoorVisitor } from '@rackfair/protocol/door'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Control } from './createControls.ts'
import type { Metrics, Refusal } from './createMetrics.ts'
import type { Returns } from './createReturns.ts'
import type { Spares } from './createSpares.ts'
import type { Tickets } from './createTickets.ts'
import { breakOff, joinSockets } from './joinSockets.ts'

/** A visitor, paused, of whom `head` has been read. */
export interface Arrived {
  visitor: Socket
  kind: DoorKind
  from: string
  name: string
  head: Buffer
  /** Whom it wants. */
  find: () => Control | Refusal
}

/**
 * Joins visitors with connections of their agents. Until an agent has answered, a visitor is given another connection in place of one that
 * breaks, or that was asked of an agent which has come anew since: a router may have forgotten it without a word. Of a visitor who speaks
 * TLS, only its first message has been passed on by then, which does nothing; what others have said may have been done, so they are moved
 * only while they wait for a connection.
 */
export function createHandOver(options: {
  tickets: Tickets
  spares: Spares
  returns: Returns
  metrics: Metrics
  refuse: (visitor: Socket, kind: DoorKind, reason: Refusal) => void
  halfOpenMs: number
}) {
  const { tickets, spares, returns, metrics, refuse, halfOpenMs } = options
  const pending = createPending()

  const handOver = (arrived: Arrived, control: Control, spare: Socket | undefined): void => {
    const { visitor, kind, from, name, head, find } = arrived
    let agent: Socket | undefined
    let ticket: string | undefined
    let isOver = false
    const end = () => {
      isOver = true
      leave()
      visitor.off('close', drop)
      if (ticket !== undefined) tickets.drop(ticket)
    }
    const drop = () => {
      end()
      if (agent) breakOff(agent)
    }
    const tryAgain = () => {
      drop()
      returns.await(find, visitor, (now) => {
        if (typeof now === 'string') refuse(visitor, kind, now)
        else if (now !== control) handOver(arrived, now, spares.take(now))
        else if (spare) handOver(arrived, control, undefined)
        else refuse(visitor, kind, 'silent_agent')
      })
    }
    const join = (socket: Socket) => {
      end()
      metrics.served.inc({ kind, connection: spare ? 'spare' : 'dialled' })
      joinSockets(visitor, socket, halfOpenMs)
    }
    const use = (socket: Socket) => {
      agent = socket
      socket.write(formatDoorVisitor({ kind, from, name }))
      socket.write(head)
      if (kind === 'tls') onAnswer(socket, (hasAnswered) => isOver || (hasAnswered ? join(socket) : tryAgain()))
      else join(socket)
    }
    const leave = pending.add(control, tryAgain)
    visitor.once('close', drop)
    if (spare) use(spare)
    else {
      ticket = tickets.make((socket) => {
        if (isOver) socket?.destroy()
        else if (socket) use(socket)
        else tryAgain()
      })
      control.send({ type: 'dial', tickets: [ticket] })
    }
  }
  return {
    handOver: (arrived: Arrived, control: Control): void => handOver(arrived, control, spares.take(control)),
    came: pending.came,
  }
}

/** What visitors wait for, by the agent that it was asked of. */
function createPending() {
  const pending = new Map<LowerCaseAddress, Map<() => void, Control>>()
  return {
    /** Returns what to call once it is there. */
    add(control: Control, tryAgain: () => void): () => void {
      const own = pending.get(control.provider) ?? new Map<() => void, Control>()
      pending.set(control.provider, own)
      own.set(tryAgain, control)
      return () => {
        own.delete(tryAgain)
        if (own.size === 0 && pending.get(control.provider) === own) pending.delete(control.provider)
      }
    },
    /** What was asked of an older connection of this agent may never come. */
    came(control: Control): void {
      for (const [tryAgain, asked] of [...(pending.get(control.provider) ?? [])]) if (asked !== control) tryAgain()
    },
  }
}

/** Waits for the first bytes, which the connection keeps, or for its end without any. */
function onAnswer(socket: Socket, done: (hasAnswered: boolean) => void): void {
  const answered = (chunk: Buffer) => {
    stop()
    socket.pause().unshift(chunk)
    done(true)
  }
  const ended = () => {
    stop()
    done(false)
  }
  const stop = () => socket.off('data', answered).off('end', ended).off('close', ended)
  socket.on('error', () => {})
  socket.on('data', answered).on('end', ended).on('close', ended).resume()
}
