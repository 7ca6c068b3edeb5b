import type { Server } from 'node:http'
import { listen } from './createVisitorServer.ts'

/** Ports in use by other programs that are skipped before an order gets none. */
const MAX_TAKEN = 50

/** Who may open an application: everybody, or the order's owner alone. */
type Access = 'public' | 'owner'

/** A port that belongs to one order at a time. */
export interface Door {
  slot: number
  readonly access: Access
}

export type SidePorts = ReturnType<typeof createSidePorts>

/**
 * Gives every order its own port from a range, opened at its first visit and kept while `isLive` says that its slot has an order.
 * Slots are assigned in turn, so a port is reused as late as the range allows. Browser storage for a port outlives its tenant,
 * so the lower half is for public applications, and the upper half for protected ones.
 */
export function createSidePorts(
  range: readonly [number, number],
  host: string,
  options: { makeServer: (door: Door) => Server; isLive: (slot: number) => boolean },
) {
  const [from, to] = range
  const middle = from + Math.floor((to - from + 1) / 2)
  const halves: Record<Access, readonly [number, number]> = { public: [from, middle - 1], owner: [middle, to] }
  const doors = new Map<number, Door & { server: Server }>()
  const ports = new Map<string, Promise<number | undefined>>()
  const keyOf = (slot: number, access: Access) => `${slot} ${access}`

  const openOne = async (slot: number, access: Access): Promise<number | undefined> => {
    const [first, last] = halves[access]
    const size = last - first + 1
    let taken = 0
    for (let step = 0; step < size && taken < MAX_TAKEN; step++) {
      const port = first + ((slot + step) % size)
      const before = doors.get(port)
      if (before && options.isLive(before.slot)) continue
      if (before) {
        ports.delete(keyOf(before.slot, access))
        before.slot = slot
        before.server.closeAllConnections()
        return port
      }
      const door: Door = { slot, access }
      const server = options.makeServer(door)
      const opened = await listen(server, port, host).then(
        () => true,
        () => false,
      )
      if (opened) {
        doors.set(port, Object.assign(door, { server }))
        return port
      }
      taken += 1
    }
    return undefined
  }

  return {
    /** The port of the order in this slot; undefined while every port of its half is taken. */
    async open(slot: number, access: Access): Promise<number | undefined> {
      const key = keyOf(slot, access)
      const opening = ports.get(key) ?? openOne(slot, access)
      ports.set(key, opening)
      const port = await opening
      if (port === undefined && ports.get(key) === opening) ports.delete(key)
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
