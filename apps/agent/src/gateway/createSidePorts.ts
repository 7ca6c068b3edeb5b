import type { Server } from 'node:http'
import { listen } from './createVisitorServer.ts'

/** Ports of other programs that are passed over before an order goes without one. */
const MAX_TAKEN = 50

interface Door {
  slot: number
  server: Server
}

/**
 * Gives every order a port of its own out of a range, opened at its first visit and kept while `isLive` says that its slot has an order.
 * Slots are given out in turn, so a port comes to the next order as late as the range allows.
 */
export function createSidePorts(
  range: readonly [number, number],
  host: string,
  options: { makeServer: (slot: () => number) => Server; isLive: (slot: number) => boolean },
) {
  const [from, to] = range
  const size = to - from + 1
  const doors = new Map<number, Door>()
  const ports = new Map<number, Promise<number | undefined>>()

  const openOne = async (slot: number): Promise<number | undefined> => {
    let taken = 0
    for (let step = 0; step < size && taken < MAX_TAKEN; step++) {
      const port = from + ((slot + step) % size)
      const before = doors.get(port)
      if (before && options.isLive(before.slot)) continue
      if (before) {
        ports.delete(before.slot)
        before.slot = slot
        before.server.closeAllConnections()
        return port
      }
      const door: Door = { slot, server: options.makeServer(() => door.slot) }
      const opened = await listen(door.server, port, host).then(
        () => true,
        () => false,
      )
      if (opened) {
        doors.set(port, door)
        return port
      }
      taken += 1
    }
    return undefined
  }

  return {
    /** The port of the order in this slot; undefined while every port of the range is taken. */
    async open(slot: number): Promise<number | undefined> {
      const opening = ports.get(slot) ?? openOne(slot)
      ports.set(slot, opening)
      const port = await opening
      if (port === undefined && ports.get(slot) === opening) ports.delete(slot)
      return port
    },
    close(): void {
      for (const { server } of doors.values()) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
