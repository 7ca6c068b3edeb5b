import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type LowerCaseAddress, networkOf } from '@rackfair/core'
import ssh2, { type AuthContext, type Connection, type PublicKeyAuthContext } from 'ssh2'
import type { Log } from '../log.ts'
import type { OwnerOf } from '../workspace/createOwnerOf.ts'
import type { SignInLimit } from './createSignInLimit.ts'
import { createSshDoor } from './createSshDoor.ts'
import type { SshKeyRow, SshKeys } from './createSshKeys.ts'
import type { HostKey } from './hostKey.ts'
import type { Inside } from './Inside.ts'
import { fingerprintOf } from './parsePublicKey.ts'
import { type OpenForwards, serveConnection } from './serveConnection.ts'

/** Signed in, of one order. */
const MAX_CONNECTIONS_OF_AN_ORDER = 8
const MAX_CONNECTIONS = 512
/** As many keys as one client may offer in one connection. */
const MAX_OFFERS = 16
const SIGN_IN_MS = 30_000
/** A client that vanished is detected after three of these. */
const KEEPALIVE_MS = 20_000

/** Algorithms in common use, fastest first: older clients find one in common, broken algorithms are left out. */
const ALGORITHMS = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp384'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256'],
  compress: ['none'],
} as const

interface SignedIn {
  orderId: bigint
  fingerprint: string
  wallet: LowerCaseAddress
  /** One for all connections of the order. */
  forwards: OpenForwards
}

export interface SshServerOptions {
  hostKey: HostKey
  keys: SshKeys
  ownerOf: OwnerOf
  inside: Inside
  limit: SignInLimit
  /** Interval between checks that sessions are still authorized, in milliseconds. */
  checkMs: number
  log: Log
}

/**
 * One SSH server for all orders of this agent: `order-12@host` is the application of order 12. It accepts keys registered by the order's
 * current owner, and no passwords.
 */
export function createSshServer(options: SshServerOptions) {
  const { keys, ownerOf, inside, limit, log } = options
  const signedIn = new Map<Connection, SignedIn>()
  const sockets = new Set<Duplex>()
  /** Streams of a workspace are of one order, whatever name their client gives. */
  const onlyOrder = new Map<string, bigint>()
  let streams = 0

  const server = new ssh2.Server(
    { hostKeys: [options.hostKey.private], algorithms: ALGORITHMS as never, ident: 'Rackfair', keepaliveInterval: KEEPALIVE_MS },
    (client, { ip }) => {
      // Every client may fail at any moment; without a listener the process would end.
      client.on('error', () => {})
      const timer = setTimeout(() => client.end(), SIGN_IN_MS)
      client.once('close', () => {
        clearTimeout(timer)
        signedIn.delete(client)
      })
      const address = onlyOrder.has(ip) ? ip : networkOf(ip)
      authenticate(client, address, onlyOrder.get(ip)).then(
        () => clearTimeout(timer),
        () => client.end(),
      )
    },
  )

  /** Resolves once the client has signed in; rejects where it is not let in. */
  const authenticate = (client: Connection, address: string, only: bigint | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      let offers = 0
      let hasFailed = false
      let hasLeft = false
      client.once('close', () => {
        hasLeft = true
      })
      const refuse = (context: AuthContext) => {
        if (!hasFailed && context.method !== 'none') limit.failed(address)
        hasFailed ||= context.method !== 'none'
        offers += 1
        if (offers > MAX_OFFERS || limit.isBlocked(address)) reject(new Error('too many tries'))
        else context.reject(['publickey'])
      }
      client.on('authentication', (context) => {
        if (limit.isBlocked(address)) return reject(new Error('too many tries'))
        if (context.method !== 'publickey') return refuse(context)
        const orderId = orderOf(context.username)
        const known =
          orderId !== undefined && (only ?? orderId) === orderId ? keys.find(orderId, fingerprintOf(context.key.data)) : undefined
        if (!known || orderId === undefined) return refuse(context)
        if (!context.signature) return context.accept()
        if (!isSigned(context, known)) return refuse(context)
        ownerOf(orderId)
          .then((owner) => {
            if (owner !== known.wallet) return refuse(context)
            // It disconnected while the chain was queried, and `close` will not fire again.
            if (hasLeft) return reject(new Error('the client has left'))
            const others = [...signedIn.values()].filter((one) => one.orderId === orderId)
            if (others.length >= MAX_CONNECTIONS_OF_AN_ORDER) return reject(new Error('too many connections'))
            const forwards = others[0]?.forwards ?? { count: 0 }
            if (hasFailed) limit.forgive(address)
            keys.noteUse(orderId, known.fingerprint)
            serveConnection(client, orderId, inside, forwards)
            // At once: others wait for the same answer of the chain, and count those who are in.
            signedIn.set(client, { orderId, fingerprint: known.fingerprint, wallet: known.wallet, forwards })
            resolve()
            context.accept()
          })
          // The order is over, or the chain does not answer: nobody is let in.
          .catch(() => refuse(context))
      })
    })

  const endWhere = (isOver: (who: SignedIn) => boolean) => {
    for (const [client, who] of signedIn) if (isOver(who)) client.end()
  }
  const check = async (orderId: bigint) => {
    try {
      const owner = await ownerOf(orderId)
      endWhere((who) => who.orderId === orderId && who.wallet !== owner)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code !== 'order_not_active' && code !== 'order_not_found') return
      keys.removeOrder(orderId)
      endWhere((who) => who.orderId === orderId)
    }
  }
  const timer = setInterval(() => {
    for (const orderId of new Set([...signedIn.values()].map((one) => one.orderId))) void check(orderId)
  }, options.checkMs)
  timer.unref()

  const take = (socket: Duplex & { remoteAddress?: string | undefined }) => {
    socket.on('error', () => socket.destroy())
    if (sockets.size >= MAX_CONNECTIONS) return void socket.destroy()
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    server.injectSocket(socket as Socket)
  }
  const door = createSshDoor({ limit, take, log })

  return {
    listen: door.listen,
    /** Serves a connection that came by the workspace of an order, until it ends. */
    serve(orderId: bigint, socket: Duplex): Promise<void> {
      streams += 1
      const name = `stream ${streams} of order ${orderId}`
      onlyOrder.set(name, orderId)
      return new Promise((resolve) => {
        socket.once('close', () => {
          onlyOrder.delete(name)
          resolve()
        })
        take(Object.assign(socket, { remoteAddress: name }))
      })
    },
    /** Ends what signed in with keys that are not registered any more. */
    endRemoved: (orderId: bigint) =>
      endWhere((who) => who.orderId === orderId && keys.find(orderId, who.fingerprint)?.wallet !== who.wallet),
    /** Forgets the keys of orders that are over. */
    async forget(): Promise<void> {
      for (const orderId of keys.orders()) await check(orderId)
    },
    connections: () => signedIn.size,
    async close(): Promise<void> {
      clearInterval(timer)
      const closed = door.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
export type SshServer = ReturnType<typeof createSshServer>

const orderOf = (username: string): bigint | undefined => {
  const match = /^order-([1-9]\d{0,19})$/.exec(username)
  return match ? BigInt(match[1] as string) : undefined
}

/** Whether the client has the private half. An RSA signature over SHA-1 counts for nothing. */
function isSigned({ key, blob, signature, hashAlgo }: PublicKeyAuthContext, { line }: SshKeyRow): boolean {
  if (!blob || !signature || (key.algo === 'ssh-rsa' && hashAlgo === undefined)) return false
  const parsed = ssh2.utils.parseKey(line)
  if (parsed instanceof Error) return false
  return parsed.verify(blob, signature, hashAlgo) === true
}
