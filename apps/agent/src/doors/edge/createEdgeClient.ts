import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import {
  createDoorLines,
  DOOR_EXPORTER,
  DOOR_EXPORTER_BYTES,
  DOOR_PROTOCOL,
  DOOR_TIMES,
  type DoorAgentMessage,
  type DoorEdgeMessage,
  type DoorVisitor,
  doorEdgeMessage,
  formatDoorHello,
  readDoorMessage,
} from '@rackfair/protocol/door'
import type { LocalAccount } from 'viem'
import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { dialVisitor } from './dialVisitor.ts'

export type Welcome = Extract<DoorEdgeMessage, { type: 'welcome' }>

/** In milliseconds. */
export interface EdgeClientTimes {
  pingMs: number
  /** An edge that is silent for longer is gone, or a router on the way has forgotten this connection. */
  silenceMs: number
  /** Within it an edge is reached. What is sent again later by TCP comes too late for visitors that wait. */
  connectMs: number
  /** Within it an edge proves itself, and judges this agent, for which it asks the chain. */
  welcomeMs: number
  /** After a lost connection, at least and at most. */
  retryMs: readonly [number, number]
  /** After a refusal: it does not change within a second. */
  refusedMs: number
}
const TIMES: EdgeClientTimes = {
  ...{ pingMs: DOOR_TIMES.pingMs, silenceMs: 3_000, connectMs: 2_500, welcomeMs: 12_000 },
  ...{ retryMs: [500, 1_000], refusedMs: 30_000 },
}
/** Refusals that are over in a moment: the edge does not reach the chain, or many agents come at once. */
const PASSING = ['internal', 'busy']
/** Connections to one edge, whatever it says that this agent may have. */
const MAX_DIALLED = 2_048

export interface EdgeClientOptions {
  edge: NonNullable<AgentConfig['gateway']['edges']>[number]
  chainId: number
  provider: string
  account: LocalAccount
  /** The raw port that is wished for. */
  rawPort: number
  /** Whether the provider is reached at it. */
  needsRawPort: boolean
  /** `host`: the address of the edge. */
  onWelcome: (welcome: Welcome, send: (message: DoorAgentMessage) => void, host: string) => void
  /** What an edge found out about a renter's domain. */
  onDomain: (found: Extract<DoorEdgeMessage, { type: 'domain' }>) => void
  onVisitor: (socket: Socket, visitor: DoorVisitor, welcome: Welcome) => void
  times?: Partial<EdgeClientTimes>
  log: Log
}

/**
 * The connection of this agent to an edge: proves the operator's key, dials a connection for each visitor, and reconnects by itself. A
 * visitor's connection goes on when this one is lost.
 */
export function createEdgeClient(options: EdgeClientOptions) {
  const { edge, log } = options
  const times = { ...TIMES, ...options.times }
  const { dial, forget, close } = createDialler(options)
  let socket: TLSSocket | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let told = ''
  const tell = (level: 'info' | 'warn', message: string, facts: Record<string, unknown> = {}) => {
    if (message !== told) log[level](message, { edge: edge.host, ...facts })
    told = message
  }

  const open = () => {
    let pauseMs = 0
    const control = connect({
      ...{ host: edge.host, port: edge.port, ALPNProtocols: [DOOR_PROTOCOL], minVersion: 'TLSv1.3' },
      // Its certificate is known by its fingerprint, and signed by nobody.
      rejectUnauthorized: false,
    })
    socket = control
    const patience = createPatience(() => control.destroy(new Error('it is silent')))
    patience.start(times.connectMs)
    control.once('connect', () => patience.start(times.welcomeMs))
    let pinging: NodeJS.Timeout | undefined
    control.on('error', (error) => tell('warn', 'an edge cannot be reached', { reason: reasonOf(error) }))
    control.once('close', () => {
      clearInterval(pinging)
      patience.end()
      if (isClosed || socket !== control) return
      const [least, most] = times.retryMs
      timer = setTimeout(open, pauseMs * (1 + Math.random() / 10) || least + Math.random() * (most - least))
    })
    control.once('secureConnect', () => {
      if (fingerprintOf(control) === edge.fingerprint) return listen(control)
      pauseMs = times.refusedMs
      tell('warn', 'an edge has another certificate than configured; it gets nothing', { found: fingerprintOf(control) })
      control.destroy()
    })
    const listen = (control: TLSSocket) =>
      converse(options, control, {
        ...{ dial, tell },
        onEntered() {
          patience.start(times.silenceMs)
          control.on('data', patience.heard)
          // Not before: a ping would be out of turn while the edge judges this agent.
          pinging = setInterval(() => control.writable && control.write('{"type":"ping"}\n'), times.pingMs)
          // The edge has forgotten what an older connection had it wait for, if it ever knew that.
          forget()
        },
        onRefused(code) {
          if (!PASSING.includes(code)) pauseMs = times.refusedMs
        },
      })
  }
  open()
  return {
    close(): void {
      isClosed = true
      clearTimeout(timer)
      socket?.destroy()
      close()
    },
  }
}

/** The connections that wait for visitors, or have one. */
function createDialler({ edge, onVisitor }: Pick<EdgeClientOptions, 'edge' | 'onVisitor'>) {
  const dialled = new Set<Socket>()
  /** Those of them that have no visitor. */
  const spares = new Set<Socket>()
  const dial = (control: TLSSocket, welcome: Welcome, tickets: readonly string[]) => {
    // The machine of the control connection: the name may lead to several.
    const host = control.remoteAddress
    if (host === undefined) return
    for (const ticket of tickets) {
      if (dialled.size >= Math.min(MAX_DIALLED, welcome.connections + edge.spares)) return
      const one = dialVisitor({ host, port: welcome.dialPort, ticket }, (visitorSocket, visitor) => {
        spares.delete(one)
        onVisitor(visitorSocket, visitor, welcome)
      })
      dialled.add(one)
      spares.add(one)
      one.once('close', () => dialled.delete(one) && spares.delete(one))
    }
  }
  const destroy = (some: Set<Socket>) => {
    for (const one of some) one.destroy()
  }
  return { dial, forget: () => destroy(spares), close: () => destroy(dialled) }
}

/** Answers the edge, message by message. */
function converse(
  { edge, chainId, provider, account, rawPort, needsRawPort, onWelcome, onDomain, log }: EdgeClientOptions,
  control: TLSSocket,
  own: {
    dial: (control: TLSSocket, welcome: Welcome, tickets: readonly string[]) => void
    tell: (level: 'info' | 'warn', message: string, facts?: Record<string, unknown>) => void
    onEntered: () => void
    onRefused: (code: string) => void
  },
): void {
  let welcome: Welcome | undefined
  const send = (message: DoorAgentMessage) => {
    if (control.writable) control.write(`${JSON.stringify(message)}\n`)
  }
  const hello = async (message: Extract<DoorEdgeMessage, { type: 'challenge' }>) => {
    const binding = control.exportKeyingMaterial(DOOR_EXPORTER_BYTES, DOOR_EXPORTER, Buffer.alloc(0)).toString('hex')
    const text = formatDoorHello({ chainId, provider, edge: message.edge, challenge: message.challenge, binding })
    const signature = await account.signMessage({ message: text })
    send({ type: 'hello', chainId, provider, port: rawPort, signature })
  }
  const receive = (message: DoorEdgeMessage) => {
    if (message.type === 'challenge') hello(message).catch(() => control.destroy())
    else if (message.type === 'welcome') {
      welcome = message
      own.onEntered()
      onWelcome(message, send, control.remoteAddress ?? edge.host)
      const { name, rawPort: given } = message
      own.tell('info', 'an edge sends visitors', { name, rawPort: given })
      if (needsRawPort && given !== rawPort)
        log.warn('the edge gave another raw port than the configured one: register it, and set gateway.port', { rawPort: given })
      send({ type: 'spares', count: edge.spares })
    } else if (message.type === 'domain') onDomain(message)
    else if (message.type === 'dial' && welcome) own.dial(control, welcome, message.tickets)
    else if (message.type === 'full')
      log.warn('an edge turns visitors away', { edge: edge.host, of: message.of, until: message.until })
    else if (message.type === 'bye') control.destroy()
    else if (message.type === 'refused') {
      own.onRefused(message.code)
      own.tell('warn', 'an edge refuses this agent', { code: message.code, reason: message.message })
    }
  }
  const lines = createDoorLines((line) => {
    if (control.destroyed) return
    try {
      const message = readDoorMessage(doorEdgeMessage, line)
      if (message) receive(message)
    } catch {
      control.destroy()
    }
  })
  control.setEncoding('utf8')
  control.on('data', (text: string) => lines.push(text) || control.destroy())
}

const fingerprintOf = (control: TLSSocket): string | undefined => {
  const raw = control.getPeerX509Certificate()?.raw
  return raw && createHash('sha256').update(raw).digest('hex')
}

/**
 * Calls `giveUp` when the other side has said nothing for long. The time limit of a socket would not do: what this side writes, as a ping
 * does, begins it anew.
 */
function createPatience(giveUp: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let limitMs = 0
  const start = (ms: number): void => {
    limitMs = ms
    clearTimeout(timer)
    timer = setTimeout(giveUp, ms)
  }
  return {
    /** Begins, or goes on with another limit, in milliseconds. */
    start,
    heard: (): void => start(limitMs),
    end: (): void => clearTimeout(timer),
  }
}
