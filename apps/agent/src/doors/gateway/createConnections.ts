import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf, widerNetworks } from '@rackfair/rules/network/networkOf'
import { arrivalOf, visitorOf } from '../../foundation/arrival.ts'
import { createNewcomers, type NewcomerPace } from '../../foundation/newcomers.ts'

const MAX_CONNECTIONS = 4096
/** A page of a hundred files opens six; a proxy without keep-alive stays below. */
const PACE: NewcomerPace = { calm: 1000, each: 100, windowMs: 1000 }
/** Connections of monitors beyond those, whose questions decide what a provider earns. */
const MAX_MONITORS = 64
/** Within it a new connection has sent its first request. */
const FRESH_MS = 3000

interface Connection {
  socket: Socket
  /** What it counts for, the narrowest first. */
  networks: Network[]
  /** Requests without a finished response. */
  open: number
  hasAsked: boolean
  /** When it was opened, or its last response ended, by a steady clock. */
  since: number
}

interface Network {
  key: string
  worth: number
  members: Set<Connection>
}

export type Connections = ReturnType<typeof createConnections>

/**
 * All connections to a gateway. When there are too many, the network that has most loses the idlest of its own, so that no number of
 * connections closes the gateway for others. Behind a proxy a connection counts for the visitor of its last request.
 * Those that come faster than they can be closed are refused unread, by network; a proxy answers for who comes through it.
 */
export function createConnections(options: { max?: number | undefined; newcomers?: NewcomerPace | undefined }) {
  const { max = MAX_CONNECTIONS } = options
  const newcomers = createNewcomers(options.newcomers ?? PACE)
  const all = new Map<Socket, Connection>()
  const networks = new Map<string, Network>()
  /** Those of monitors, which are in no network; the oldest first. */
  const monitors = new Set<Connection>()

  const leave = (connection: Connection) => {
    for (const network of connection.networks) {
      network.members.delete(connection)
      if (network.members.size === 0) networks.delete(network.key)
    }
    connection.networks = []
    monitors.delete(connection)
  }
  const join = (connection: Connection, visitor: string) => {
    leave(connection)
    for (const { network: key, worth } of [{ network: visitor, worth: 1 }, ...widerNetworks(visitor)]) {
      const network = networks.get(key) ?? { key, worth, members: new Set() }
      networks.set(key, network)
      network.members.add(connection)
      connection.networks.push(network)
    }
  }
  const joinOwn = (connection: Connection) => join(connection, networkOf(arrivalOf(connection.socket).from))

  const dropOne = () => {
    let most: Network | undefined
    for (const one of networks.values()) if (!most || one.members.size / one.worth > most.members.size / most.worth) most = one
    let narrow: Network | undefined
    for (const { networks: own } of most?.members ?? [])
      if (own[0] && (!narrow || own[0].members.size > narrow.members.size)) narrow = own[0]
    const now = performance.now()
    let idlest: Connection | undefined
    for (const one of narrow?.members ?? []) if (!idlest || isIdler(one, idlest, now)) idlest = one
    if (!idlest) return
    forget(idlest)
    idlest.socket.destroy()
  }
  const forget = (connection: Connection) => {
    leave(connection)
    all.delete(connection.socket)
  }

  return {
    /** Counts a new connection, in place of another when there are too many; false for one that is not to be served. */
    add(socket: Socket): boolean {
      const { from, isProxied } = arrivalOf(socket)
      if (!isProxied && !newcomers.admits(from)) return false
      const connection = { socket, networks: [], open: 0, hasAsked: false, since: performance.now() }
      all.set(socket, connection)
      joinOwn(connection)
      socket.once('close', () => forget(connection))
      if (all.size - monitors.size > max) dropOne()
      return true
    },

    /** A connection is in use from its request to the end of the response. */
    use(request: IncomingMessage, response: ServerResponse): void {
      const connection = all.get(request.socket)
      if (!connection) return
      connection.open += 1
      connection.hasAsked = true
      response.once('close', () => {
        connection.open -= 1
        connection.since = performance.now()
      })
      const visitor = arrivalOf(request.socket).isProxied ? visitorOf(request) : undefined
      if (visitor !== undefined) join(connection, visitor)
    },

    /** A WebSocket is in use until it closes. */
    upgrade(request: IncomingMessage): void {
      const connection = all.get(request.socket)
      if (connection) connection.open += 1
    },

    /** Keeps the connection of a monitor whose signature was verified, beyond the limit of all others. */
    keep(request: IncomingMessage): void {
      const connection = all.get(request.socket)
      if (!connection) return
      leave(connection)
      monitors.add(connection)
      const [oldest] = monitors
      if (oldest && monitors.size > MAX_MONITORS) joinOwn(oldest)
    },
  }
}

/**
 * First those that wait for another request, then those that have sent none, each by how long; then those in use, the newest first; last
 * those that are about to send their first.
 */
function isIdler(a: Connection, b: Connection, now: number): boolean {
  const [left, right] = [rankOf(a, now), rankOf(b, now)]
  if (left !== right) return left < right
  return left === IN_USE ? a.since > b.since : a.since < b.since
}

const IN_USE = 2
function rankOf({ open, hasAsked, since }: Connection, now: number): number {
  if (open > 0) return IN_USE
  if (hasAsked) return 0
  return now - since > FRESH_MS ? 1 : 3
}
