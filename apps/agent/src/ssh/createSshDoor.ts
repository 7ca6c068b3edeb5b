import { createServer, type Socket } from 'node:net'
import { networkOf } from '@rackfair/core'
import type { Log } from '../log.ts'
import type { SignInLimit } from './createSignInLimit.ts'

const MAX_CONNECTIONS_OF_AN_ADDRESS = 32

/** The port of the SSH server. An address that failed too often, or has too many connections, is cut off before it says a word. */
export function createSshDoor({ limit, take, log }: { limit: SignInLimit; take: (socket: Socket) => void; log: Log }) {
  const perAddress = new Map<string, number>()
  const listener = createServer({ noDelay: true, keepAlive: true }, (socket) => {
    const address = networkOf(socket.remoteAddress ?? '')
    const count = (perAddress.get(address) ?? 0) + 1
    if (limit.isBlocked(address) || count > MAX_CONNECTIONS_OF_AN_ADDRESS) return void socket.destroy()
    perAddress.set(address, count)
    socket.once('close', () => {
      const left = (perAddress.get(address) ?? 1) - 1
      if (left > 0) perAddress.set(address, left)
      else perAddress.delete(address)
    })
    take(socket)
  })

  return {
    listen: (port: number, host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        listener.once('error', reject)
        listener.listen(port, host, () => {
          listener.off('error', reject).on('error', (error) => log.warn('the SSH port failed', { reason: String(error) }))
          resolve((listener.address() as { port: number }).port)
        })
      }),
    close: () => new Promise<void>((resolve) => listener.close(() => resolve())),
  }
}
