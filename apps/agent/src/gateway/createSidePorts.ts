import type { Server } from 'node:http'
import { listen } from './createVisitorServer.ts'

/** Ports of other programs that are passed over before an order goes without one. */
const MAX_TRIES = 50

/** Gives every order a port of its own out of a range, opened at its first visit and kept while the gateway runs. */
export function createSidePorts(range: readonly [number, number], host: string, makeServer: (slot: number) => Server) {
  const [from, to] = range
  const servers = new Map<number, Server>()
  const ports = new Map<number, Promise<number | undefined>>()

  const openOne = async (slot: number): Promise<number | undefined> => {
    const size = to - from + 1
    for (let step = 0; step < Math.min(size, MAX_TRIES); step++) {
      const port = from + ((slot + step) % size)
      const server = makeServer(slot)
      const opened = await listen(server, port, host).then(
        () => true,
        () => false,
      )
      if (!opened) continue
      servers.set(slot, server)
      return port
    }
    ports.delete(slot)
    return undefined
  }

  return {
    /** The port of the order in this slot; undefined while every port of the range is taken. */
    open(slot: number): Promise<number | undefined> {
      const port = ports.get(slot) ?? openOne(slot)
      ports.set(slot, port)
      return port
    },
    close(): void {
      for (const server of servers.values()) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
