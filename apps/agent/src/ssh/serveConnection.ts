import type { Connection } from 'ssh2'
import type { Inside } from './Inside.ts'
import { serveForward } from './serveForward.ts'
import { serveSession } from './serveSession.ts'

/** Of one connection: shells, commands and file transfers at once, as many as sshd allows. */
const MAX_SESSIONS = 10
/** Of an order: each is a program on this machine, outside of what the order bought. */
const MAX_FORWARDS = 64

/** What all connections of an order have open together. */
export interface OpenForwards {
  count: number
}

/** Serves the requests of a signed-in client. Anything not handled here (agents, X11, remote forwards) is refused by the library. */
export function serveConnection(client: Connection, orderId: bigint, inside: Inside, forwards: OpenForwards): void {
  let sessions = 0
  client.on('session', (accept, reject) => {
    if (sessions >= MAX_SESSIONS) return reject()
    sessions += 1
    const session = accept()
    session.once('close', () => {
      sessions -= 1
    })
    serveSession(session, orderId, inside)
  })
  client.on('tcpip', (accept, reject, { destIP, destPort }) => {
    if (forwards.count >= MAX_FORWARDS) return reject()
    forwards.count += 1
    void serveForward({ accept, reject, host: destIP, port: destPort }, (port) => inside.connect(orderId, port)).finally(() => {
      forwards.count -= 1
    })
  })
}
