import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '@rackfair/rules/network/networkOf'

export interface ConnectionLimits {
  /** Connections at once. */
  total: number
  /** Those of one network. Not of this machine: a proxy on it speaks for everybody. */
  perNetwork: number
  /** For a request and its answer. */
  answerMs: number
}

const LIMITS: ConnectionLimits = { total: 256, perNetwork: 32, answerMs: Number.POSITIVE_INFINITY }

/**
 * Keeps a server readable whoever holds connections to it: where there are too many, the newest stays, and of the network with most of them
 * one goes that has not asked anything, the oldest first.
 */
export function limitConnections(server: Server, limits: Partial<ConnectionLimits> = {}): void {
  const { total, perNetwork, answerMs } = { ...LIMITS, ...limits }
  /** By network, the oldest first. */
  const open = new Map<string, Set<Socket>>()
  const asking = new WeakSet<Socket>()
  let count = 0

  const close = (sockets: ReadonlySet<Socket>) => {
    const all = [...sockets]
    ;(all.find((one) => !asking.has(one)) ?? all[0])?.destroy()
  }
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '')
    const sockets = open.get(network) ?? new Set()
    open.set(network, sockets.add(socket))
    count += 1
    socket.once('close', () => {
      count -= 1
      sockets.delete(socket)
      if (sockets.size === 0 && open.get(network) === sockets) open.delete(network)
    })
    const isThisMachine = isLoopback(socket.remoteAddress)
    if (!isThisMachine && sockets.size > perNetwork) close(sockets)
    else if (count > total) close([...open.values()].reduce((most, one) => (one.size > most.size ? one : most)))
  })
  server.on('request', ({ socket }) => {
    asking.add(socket)
    if (answerMs === Number.POSITIVE_INFINITY) return
    const ending = setTimeout(() => socket.destroy(), answerMs).unref()
    socket.once('close', () => clearTimeout(ending))
  })
}

export const isLoopback = (address: string | undefined): boolean => /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/i.test(address ?? '')
