import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { DeploymentDetails } from '@rackfair/protocol/deployments'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Log } from '../foundation/log.ts'
import { BACKLOG, createNewcomers, type NewcomerPace, type Newcomers } from '../foundation/newcomers.ts'

export type WantedPort = Omit<PortForward, 'outside'>
/** A port of an application and the one of this machine at which it is reached. */
export type PortForward = NonNullable<DeploymentDetails['ports']>[number]

/** Concurrent connections to all ports of an order: each takes two of the agent's file descriptors. */
const MAX_CONNECTIONS = 1000
/** UDP has no end of conversation: one that is silent for this long counts as over. */
const UDP_SILENCE_MS = 60_000
/** Also over all ports of an order. The peer silent for longest is evicted first. */
const MAX_UDP_PEERS = 1000
const CONNECT_MS = 10_000
/** Detects a side that vanished without closing. */
const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelay: 60_000 }
/** To all TCP ports of an order: one application that is flooded does not take the agent's time from the others. */
const PACE: NewcomerPace = { calm: 1000, each: 100, windowMs: 1000 }
const TIMES: Times = { stuckMs: 300_000, sweepMs: 5_000 }

/** In milliseconds. */
interface Times {
  /** How long a side that has bytes to read may read none of them. */
  stuckMs: number
  /** Interval between checks that an application is where connections to it lead. */
  sweepMs: number
}

/** What all ports of one order have open together. */
interface Open {
  newcomers: Newcomers
  connections: number
  /** By port, address and port of the other side; the oldest first. */
  peers: Map<string, { socket: UdpSocket; seenAt: number; address: string }>
}

interface Limits {
  connections: number
  peers: number
}

interface Listener {
  forward: PortForward
  close(): void
}

export type PortForwards = ReturnType<typeof createPortForwards>

/**
 * Forwards TCP connections and UDP packets from ports of this machine to the applications of orders. The application sees this machine as
 * the peer: its walls let nobody else in.
 */
export function createPortForwards(options: {
  range: readonly [number, number] | null | undefined
  host: string
  /** Where the application of an order is now, or one of its services by name; undefined while it does not run. */
  addressOf: (orderId: bigint, service?: string) => string | undefined
  log: Log
  limits?: Limits
  pace?: NewcomerPace
  times?: Times
}) {
  const { range, host, addressOf, log, limits = { connections: MAX_CONNECTIONS, peers: MAX_UDP_PEERS } } = options
  const { pace = PACE, times = TIMES } = options
  const open = new Map<bigint, Listener[]>()
  const isUsed = (protocol: string, port: number) =>
    [...open.values()].flat().some(({ forward }) => forward.protocol === protocol && forward.outside === port)

  const listen = (orderId: bigint, forward: PortForward, all: Open): Promise<Listener> =>
    (forward.protocol === 'tcp' ? listenTcp : listenUdp)({
      ...{ forward, host, all, limits, times, target: () => addressOf(orderId, forward.service) },
    })

  /** The first port of the range that neither an order nor another program has. */
  const give = async (orderId: bigint, wanted: WantedPort, all: Open): Promise<Listener> => {
    if (!range) throw new AppError('port_unavailable', 'this provider offers no TCP or UDP ports')
    const size = range[1] - range[0] + 1
    // The next order starts at a different port: clients of the previous one would otherwise connect to a stranger's.
    const first = Number(orderId % BigInt(size)) * 7
    for (let step = 0; step < size; step += 1) {
      const outside = range[0] + ((first + step) % size)
      if (isUsed(wanted.protocol, outside)) continue
      try {
        return await listen(orderId, { ...wanted, outside }, all)
      } catch {
        // Another program has it.
      }
    }
    throw new AppError('port_unavailable', `every port from ${range[0]} to ${range[1]} is taken`, { retryable: true })
  }

  const close = (orderId: bigint) => {
    for (const listener of open.get(orderId) ?? []) listener.close()
    open.delete(orderId)
  }

  return {
    /**
     * Opens ports for those of an application: the ones it had before, as far as they are free, else others.
     * @throws AppError `port_unavailable`
     */
    async open(orderId: bigint, wanted: readonly WantedPort[], before: readonly PortForward[] = []) {
      const there = open.get(orderId) ?? []
      const isSame = there.length === wanted.length && wanted.every((one) => there.some(({ forward }) => isPort(forward, one)))
      if (isSame) return there.map(({ forward }) => forward)
      close(orderId)
      const listeners: Listener[] = []
      const all: Open = { newcomers: createNewcomers(pace), connections: 0, peers: new Map() }
      open.set(orderId, listeners)
      try {
        for (const one of wanted) {
          const kept = before.find((other) => isPort(other, one))
          const again =
            kept && !isUsed(kept.protocol, kept.outside) && range && kept.outside >= range[0] && kept.outside <= range[1]
          const listener = again ? await listen(orderId, kept, all).catch(() => undefined) : undefined
          if (kept && !listener) log.warn('a port of an order has moved', { orderId: String(orderId), port: kept.outside })
          listeners.push(listener ?? (await give(orderId, one, all)))
        }
      } catch (error) {
        close(orderId)
        throw error
      }
      return listeners.map(({ forward }) => forward)
    },
    close,
    closeAll() {
      for (const orderId of [...open.keys()]) close(orderId)
    },
  }
}

const isPort = (a: WantedPort, b: WantedPort): boolean =>
  a.protocol === b.protocol && a.port === b.port && a.service === b.service

interface Forwarding {
  forward: PortForward
  host: string
  all: Open
  limits: Limits
  times: Times
  target: () => string | undefined
}

async function listenTcp(forwarding: Forwarding): Promise<Listener> {
  const { forward, host, all, limits, times, target } = forwarding
  const pairs = new Set<Pair>()
  const server: Server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true, ...KEEP_ALIVE }, (visitor) => {
    const address = target()
    const isServed = address !== undefined && all.newcomers.admits(visitor.remoteAddress) && all.connections < limits.connections
    if (!isServed) return void visitor.destroy()
    all.connections += 1
    const pair = join(visitor, { address, port: forward.port, times })
    pairs.add(pair)
    void pair.closed.then(() => {
      all.connections -= 1
      pairs.delete(pair)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(forward.outside, host, BACKLOG, resolve)
  })
  server.on('error', () => {})
  const sweep = setInterval(() => {
    for (const { address, end } of pairs) if (address !== target()) end()
  }, times.sweepMs).unref()
  return {
    forward,
    close() {
      clearInterval(sweep)
      server.close()
      for (const { end } of pairs) end()
    },
  }
}

/** A visitor's connection and the one to the application, which take two of the agent's file descriptors until both are closed. */
interface Pair {
  address: string
  closed: Promise<unknown>
  end(): void
}

/** Leads a visitor to an application. Neither side keeps the other open by reading nothing. */
function join(visitor: Socket, { address, port, times }: { address: string; port: number; times: Times }): Pair {
  const inside = connect({ host: address, port, allowHalfOpen: true, noDelay: true, ...KEEP_ALIVE })
  const timer = setTimeout(() => inside.destroy(), CONNECT_MS)
  inside.once('connect', () => {
    clearTimeout(timer)
    visitor.pipe(inside)
    inside.pipe(visitor)
  })
  inside.once('close', () => clearTimeout(timer))
  for (const [one, other] of [
    [visitor, inside],
    [inside, visitor],
  ] as const) {
    one.on('error', () => one.destroy())
    one.setTimeout(times.stuckMs, () => one.writableLength > 0 && one.destroy())
    one.once('close', () => other.destroySoon())
  }
  return {
    address,
    closed: Promise.all([visitor, inside].map((one) => new Promise((resolve) => one.once('close', resolve)))),
    end() {
      visitor.destroy()
      inside.destroy()
    },
  }
}

async function listenUdp({ forward, host, all: { peers }, limits, target }: Forwarding): Promise<Listener> {
  const family = host.includes(':') ? 'udp6' : 'udp4'
  const outside = createSocket(family)
  const drop = (key: string) => {
    peers.get(key)?.socket.close()
    peers.delete(key)
  }
  const sweep = setInterval(() => {
    for (const [key, { seenAt }] of peers) if (performance.now() - seenAt > UDP_SILENCE_MS) drop(key)
  }, UDP_SILENCE_MS / 4).unref()
  outside.on('message', (packet, from) => {
    const address = target()
    if (address === undefined) return
    const key = `${forward.outside} ${from.address} ${from.port}`
    let peer = peers.get(key)
    if (peer && peer.address !== address) {
      drop(key)
      peer = undefined
    }
    if (!peer) {
      if (peers.size >= limits.peers) drop(peers.keys().next().value as string)
      const socket = createSocket('udp4')
      socket.on('error', () => drop(key))
      socket.on('message', (answer, { address: sender }) => {
        if (sender === address) outside.send(answer, from.port, from.address, () => {})
      })
      peer = { socket, seenAt: 0, address }
    }
    peer.seenAt = performance.now()
    peers.delete(key)
    peers.set(key, peer)
    peer.socket.send(packet, forward.port, address, () => {})
  })
  await new Promise<void>((resolve, reject) => {
    outside.once('error', reject)
    outside.bind({ address: host, port: forward.outside, exclusive: true }, () => resolve())
  })
  outside.on('error', () => {})
  return {
    forward,
    close() {
      clearInterval(sweep)
      for (const key of [...peers.keys()]) drop(key)
      outside.close()
    },
  }
}
