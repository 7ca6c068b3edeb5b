import type { Connection } from 'ssh2'
import type { Inside } from './Inside.ts'
import { serveForward } from './serveForward.ts'
import { serveSession } from './serveSession.ts'

/** Of one connection: shells, commands and file transfers at once, as many as sshd allows. */
const MAX_SESSIONS = 10
const MAX_FORWARDS = 32

/** Serves what a client asks for that has signed in. What is not served here (agents, X11, ports of ours) is refused by the library. */
export function serveConnection(client: Connection, orderId: bigint, inside: Inside): void {
  const open = { sessions: 0, forwards: 0 }
  client.on('session', (accept, reject) => {
    if (open.sessions >= MAX_SESSIONS) return reject()
    open.sessions += 1
    const session = accept()
    session.once('close', () => {
      open.sessions -= 1
    })
    serveSession(session, orderId, inside)
  })
  client.on('tcpip', (accept, reject, { destIP, destPort }) => {
    if (open.forwards >= MAX_FORWARDS) return reject()
    open.forwards += 1
    void serveForward({ accept, reject, host: destIP, port: destPort }, (port) => inside.connect(orderId, port)).finally(() => {
      open.forwards -= 1
    })
  })
}
