import type { Connection } from 'ssh2'
import type { Served } from './Served.ts'
import { serveForward } from './serveForward.ts'
import { serveSession } from './serveSession.ts'

/** Of one connection: shells, commands and file transfers at once, as many as sshd allows. */
const MAX_SESSIONS = 10
/** Of an order: each is a program on this machine, outside of what the order bought. */
const MAX_FORWARDS = 64

/** Serves the requests of a signed-in client. Anything not handled here (agents, X11, remote forwards) is refused by the library. */
export function serveConnection(client: Connection, served: Served): void {
  const { orderId, service, inside, forwards, connection } = served
  let sessions = 0
  client.on('session', (accept, reject) => {
    if (sessions >= MAX_SESSIONS) return reject()
    sessions += 1
    const session = accept()
    session.once('close', () => {
      sessions -= 1
    })
    serveSession(session, served)
  })
  client.on('tcpip', (accept, reject, { destIP, destPort }) => {
    if (forwards.count >= MAX_FORWARDS) return reject()
    forwards.count += 1
    const wanted = { accept, reject, host: destIP, port: destPort }
    void serveForward(wanted, (port) => inside.connect(orderId, port, service), connection.onEnd).finally(() => {
      forwards.count -= 1
    })
  })
}
