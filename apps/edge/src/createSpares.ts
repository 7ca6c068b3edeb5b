import type { Socket } from 'node:net'
import type { Control } from './createControls.ts'
import type { Tickets } from './createTickets.ts'

/** What an agent keeps ready for visitors. */
interface Ready {
  /** With what ends each, if it is no longer ready. */
  spares: Map<Socket, () => void>
  /** Tickets that were given out for spares. */
  asked: Set<string>
  timer: NodeJS.Timeout | undefined
}

/** Between two times that an agent is asked for spares: one that closes them must not keep an edge busy. */
const TOP_UP_MS = 50

export type Spares = ReturnType<typeof createSpares>

/** The connections that agents dial before their visitors come. */
export function createSpares(tickets: Tickets) {
  const ready = new Map<Control, Ready>()
  const topUp = (control: Control) => {
    const own = ready.get(control)
    if (!own || own.timer) return
    own.timer = setTimeout(() => {
      own.timer = undefined
      const missing = control.wanted - own.spares.size - own.asked.size
      const asked = Array.from({ length: Math.max(0, missing) }, () => ask(control, own))
      if (asked.length > 0) control.send({ type: 'dial', tickets: asked })
    }, TOP_UP_MS).unref()
  }
  const ask = (control: Control, own: Ready): string => {
    const ticket = tickets.make((socket) => {
      own.asked.delete(ticket)
      if (socket && ready.get(control) === own) keep(control, own, socket)
      else socket?.destroy()
      if (!socket) topUp(control)
    })
    own.asked.add(ticket)
    return ticket
  }
  const keep = (control: Control, own: Ready, socket: Socket) => {
    // Until its visitor comes, nothing may arrive on it.
    const drop = () => socket.destroy()
    own.spares.set(socket, drop)
    socket.on('data', drop).on('end', drop).resume()
    socket.once('close', () => own.spares.delete(socket) && topUp(control))
  }
  return {
    /** An agent is there, or wants another number of them. */
    came(control: Control): void {
      if (!ready.has(control)) ready.set(control, { spares: new Map(), asked: new Set(), timer: undefined })
      topUp(control)
    },
    /** The newest: an older one may have been forgotten by a router on its way. */
    take(control: Control): Socket | undefined {
      const own = ready.get(control)
      const [socket, drop] = [...(own?.spares ?? [])].findLast(([one]) => !one.destroyed && one.writable) ?? []
      if (!own || !socket || !drop) return undefined
      own.spares.delete(socket)
      topUp(control)
      return socket.off('data', drop).off('end', drop).pause()
    },
    /** An agent has left. Visitors that it has go on: each has a connection of its own. */
    left(control: Control): void {
      const own = ready.get(control)
      ready.delete(control)
      clearTimeout(own?.timer)
      for (const ticket of own?.asked ?? []) tickets.drop(ticket)
      for (const end of own?.spares.values() ?? []) end()
    },
    close(): void {
      for (const control of [...ready.keys()]) this.left(control)
    },
  }
}
