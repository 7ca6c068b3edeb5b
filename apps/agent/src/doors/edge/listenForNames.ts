import { createServer, type Server, type Socket } from 'node:net'
import { networkOf, widerNetworks } from '@rackfair/rules/network/networkOf'
import { createNewcomers } from '../../foundation/newcomers.ts'
import { createWaitingRoom } from '../../foundation/waitingRoom.ts'
import { listen } from '../gateway/createVisitorServer.ts'

const PACE = { calm: 1000, each: 100, windowMs: 1000 }

/**
 * Listens for visitors of names at this machine itself. A connection to the port for TLS is given to `onTls`, paused, with what to call once
 * TLS stands: until then it has one of a few places, which the oldest of its network gives up to a newcomer.
 *
 * @throws AppError `conflict` where another program uses a port.
 */
export async function listenForNames(
  { host, tls, plain }: { host: string; tls: number; plain: number | null },
  handlers: { onTls: (socket: Socket, stands: () => void) => void; onPlain: (socket: Socket) => void },
) {
  const newcomers = createNewcomers(PACE)
  const waiting = createWaitingRoom()
  const open = new Set<Socket>()
  const serverFor = (serve: (socket: Socket) => void): Server =>
    createServer(
      { pauseOnConnect: true, allowHalfOpen: true, noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 },
      (socket) => {
        if (!newcomers.admits(socket.remoteAddress)) return void socket.destroy()
        open.add(socket)
        socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket))
        serve(socket)
      },
    )
  const secure = serverFor((socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const networks = [network, ...widerNetworks(network).map(({ network: wider }) => wider)]
    const leave = waiting.enter(networks, () => socket.destroy())
    socket.once('close', leave)
    handlers.onTls(socket, leave)
  })
  const insecure = serverFor(handlers.onPlain)
  await listen(secure, tls, host)
  if (plain !== null) await listen(insecure, plain, host)
  return {
    close(): void {
      for (const server of [secure, insecure]) server.close()
      for (const socket of open) socket.destroy()
    },
  }
}
