import { isIP, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { networkOf, widerNetworks } from '@rackfair/rules/network/networkOf'
import ssh2, { type Connection } from 'ssh2'
import type { Log } from '../../foundation/log.ts'
import { createNewcomers, type NewcomerPace } from '../../foundation/newcomers.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { createWaitingRoom } from '../../foundation/waitingRoom.ts'
import type { OwnerOf } from '../owner/createOwnerOf.ts'
import { authenticate, type Stranger, type WantedPlace } from './authenticate.ts'
import { createConnection, type SshConnection } from './createConnection.ts'
import type { SignInLimit } from './createSignInLimit.ts'
import { createSshDoor } from './createSshDoor.ts'
import type { SshKeyRow, SshKeys } from './createSshKeys.ts'
import type { HostKey } from './hostKey.ts'
import type { Inside } from './Inside.ts'
import type { OpenForwards } from './Served.ts'
import { serveConnection } from './serveConnection.ts'

/** Signed in, of one order. */
const MAX_CONNECTIONS_OF_AN_ORDER = 8
/** From the first byte of a connection to its sign-in. */
const SIGN_IN_MS = 30_000
/** An exchange of keys takes a processor about a millisecond. */
const PACE: NewcomerPace = { calm: 50, each: 10, windowMs: 1000 }
/** A client that vanished is detected after three of these. */
const KEEPALIVE_MS = 20_000

/** As sshd names an address in SSH_CONNECTION where there is none. */
const UNKNOWN = 'UNKNOWN'

/** Algorithms in common use, fastest first: older clients find one in common, broken algorithms are left out. */
const ALGORITHMS = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp384'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256'],
  compress: ['none'],
} as const

/** A connection that has begun, until it is closed. */
interface Arrival extends Stranger {
  /** As SSH_CONNECTION has it: the client's address and port, then the server's. */
  addresses: string
  /** It has signed in: it keeps its place as long as it likes. */
  enter(): void
}

interface SignedIn {
  orderId: bigint
  fingerprint: string
  wallet: LowerCaseAddress
  connection: SshConnection
  /** One for all connections of the order. */
  forwards: OpenForwards
}

export interface SshServerOptions {
  hostKey: HostKey
  keys: SshKeys
  ownerOf: OwnerOf
  inside: Inside
  limit: SignInLimit
  /** Where renters reach the server. */
  place: { host: string; port: number }
  /** Interval between checks that sessions are still authorized, in milliseconds. */
  checkMs: number
  signInMs?: number
  /** How fast connections may come to the port. */
  pace?: NewcomerPace
  log: Log
}

/**
 * One SSH server for all orders of this agent: `order-12@host` is the application of order 12, `order-12.db@host` its service `db`. It accepts keys registered by the order's
 * current owner, and no passwords. Whoever has not signed in has a place of its own, which neither sessions nor workspaces need.
 */
export function createSshServer(options: SshServerOptions) {
  const { keys, ownerOf, inside, limit, log, place, signInMs = SIGN_IN_MS } = options
  const signedIn = new Map<Connection, SignedIn>()
  const sockets = new Set<Duplex>()
  /** By the names that their sockets have as addresses, which is all that the library tells of a client. */
  const arrivals = new Map<string, Arrival>()
  const waitingRoom = createWaitingRoom()
  const newcomers = createNewcomers(options.pace ?? PACE)
  let count = 0

  const server = new ssh2.Server(
    { hostKeys: [options.hostKey.private], algorithms: ALGORITHMS as never, ident: 'Rackfair', keepaliveInterval: KEEPALIVE_MS },
    (client, { ip }) => {
      const arrival = arrivals.get(ip)
      if (!arrival) return
      arrival.connection.greeted(client)
      client.once('close', () => signedIn.delete(client))
      const lets = (wanted: WantedPlace, key: SshKeyRow) => admit(client, wanted, key, arrival)
      authenticate(client, arrival, { keys, ownerOf, limit, admit: lets })
    },
  )

  /** Lets a client in that has proved a key of the order's owner; the text says why not. */
  const admit = (
    client: Connection,
    { orderId, service }: WantedPlace,
    { fingerprint, wallet }: SshKeyRow,
    arrival: Arrival,
  ): string | undefined => {
    const others = [...signedIn.values()].filter((one) => one.orderId === orderId)
    if (others.length >= MAX_CONNECTIONS_OF_AN_ORDER)
      return `order ${orderId} has ${others.length} SSH connections open, as many as it may; close one of them`
    const { connection, addresses } = arrival
    const forwards = others[0]?.forwards ?? { count: 0 }
    keys.noteUse(orderId, fingerprint)
    serveConnection(client, { orderId, service, inside, forwards, connection, addresses })
    // At once: others wait for the same answer of the chain, and count those who are in.
    signedIn.set(client, { orderId, fingerprint, wallet, connection, forwards })
    arrival.enter()
    return undefined
  }

  const endWhere = (isEnded: (who: SignedIn) => boolean, why: string) => {
    for (const who of signedIn.values()) if (isEnded(who)) who.connection.end(why)
  }
  const check = async (orderId: bigint) => {
    try {
      const owner = await ownerOf(orderId)
      endWhere((who) => who.orderId === orderId && who.wallet !== owner, `order ${orderId} has another owner now`)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code !== 'order_not_active' && code !== 'order_not_found') return
      keys.removeOrder(orderId)
      endWhere((who) => who.orderId === orderId, `order ${orderId} is over`)
    }
  }
  const timer = setInterval(() => {
    for (const orderId of new Set([...signedIn.values()].map((one) => one.orderId)))
      check(orderId).catch((error: unknown) => log.warn('sessions of SSH cannot be checked', { reason: reasonOf(error) }))
  }, options.checkMs)
  timer.unref()

  /** Serves a socket; `leave` gives up the place of one that waits. */
  const take = (
    socket: Duplex,
    { network, only, addresses }: Pick<Arrival, 'network' | 'only' | 'addresses'>,
    networks: readonly string[],
  ) => {
    count += 1
    const name = `connection ${count}`
    const connection = createConnection(socket)
    const leave = networks.length > 0 ? waitingRoom.enter(networks, () => void socket.destroy()) : () => {}
    const late = setTimeout(() => connection.end(`not signed in within ${signInMs / 1000} seconds`), signInMs)
    const enter = () => {
      clearTimeout(late)
      leave()
    }
    sockets.add(socket)
    arrivals.set(name, { connection, network, only, addresses, enter })
    socket.once('close', () => {
      enter()
      sockets.delete(socket)
      arrivals.delete(name)
    })
    Object.defineProperty(socket, 'remoteAddress', { value: name })
    server.injectSocket(socket as Socket)
  }
  const door = createSshDoor({
    take(socket) {
      const { remoteAddress = '', remotePort = 0 } = socket
      if (!newcomers.admits(remoteAddress)) return void socket.destroy()
      const network = networkOf(remoteAddress)
      const client = remoteAddress.replace(/^::ffff:(?=\d+\.)/, '')
      const at = isIP(place.host) > 0 ? place.host : UNKNOWN
      const networks = [network, ...widerNetworks(network).map((one) => one.network)]
      take(socket, { network, only: undefined, addresses: `${client} ${remotePort} ${at} ${place.port}` }, networks)
    },
    log,
  })

  return {
    listen: door.listen,
    /** Serves a connection that came by the workspace of an order, until it ends. */
    serve(orderId: bigint, socket: Duplex): Promise<void> {
      return new Promise((resolve) => {
        socket.once('close', resolve)
        const addresses = `${UNKNOWN} 65535 ${UNKNOWN} 65535`
        take(socket, { network: `workspace ${count}`, only: orderId, addresses }, [])
      })
    },
    /** Ends what signed in with keys that are not registered any more. */
    endRemoved: (orderId: bigint) =>
      endWhere(
        (who) => who.orderId === orderId && keys.find(orderId, who.fingerprint)?.wallet !== who.wallet,
        `the key was removed from order ${orderId}`,
      ),
    /** Forgets the keys of orders that are over. */
    async forget(): Promise<void> {
      for (const orderId of keys.orders()) await check(orderId)
    },
    connections: () => signedIn.size,
    /** Connections at the port that have not signed in. */
    waiting: waitingRoom.size,
    async close(): Promise<void> {
      clearInterval(timer)
      const closed = door.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
export type SshServer = ReturnType<typeof createSshServer>
