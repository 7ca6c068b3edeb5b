import type { Socket } from 'node:net'
import { createNetworkCounts } from '@rackfair/rules/network/networkCounts'
import type { EdgeLimits } from './limits.ts'

/**
 * Holds connections of strangers until they are known or their time is over. Where there are too many, the oldest goes: the newest may be
 * somebody who knows what to say.
 */
export function createUnknown({ unknown, unknownPerNetwork }: EdgeLimits, timeoutMs: number) {
  const networks = createNetworkCounts(unknownPerNetwork)
  const waiting = new Map<Socket, () => void>()
  return {
    size: () => waiting.size,
    /** False for one too many of a network, which is closed. `known` has to be called for the others, or they are closed in time. */
    add(socket: Socket): boolean {
      const address = socket.remoteAddress
      if (address === undefined || !networks.take(address)) {
        socket.destroy()
        return false
      }
      const timer = setTimeout(() => socket.destroy(), timeoutMs)
      waiting.set(socket, () => {
        clearTimeout(timer)
        networks.give(address)
      })
      socket.once('close', () => this.known(socket))
      const [oldest] = waiting.keys()
      if (waiting.size > unknown && oldest) oldest.destroy()
      return true
    },
    known(socket: Socket): void {
      const leave = waiting.get(socket)
      waiting.delete(socket)
      leave?.()
    },
  }
}
export type Unknown = ReturnType<typeof createUnknown>
