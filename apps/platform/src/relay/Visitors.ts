import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { decodeVisitorFrame, encodeVisitorFrame, VISITOR } from '@rackfair/protocol/visitorFrame'
import { type LowerCaseAddress, toAddress } from '@rackfair/rules/address'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import { CallerCounts } from '../limits/CallerCounts.ts'
import { endWebSocket, refuseUpgrade } from '../limits/lastWords.ts'
import { Pace } from './Pace.ts'

const PATH = /^\/v1\/workspace\/(0x[0-9a-fA-F]{40})$/
/** The longest record of a session, or the hello before it. */
const MAX_MESSAGE_BYTES = 32 * 1024
const MAX_VISITORS = 5_000
const MAX_PER_CALLER = 48
const MAX_PER_PROVIDER = 1_000
const RATE = { bytesPerSecond: 64_000_000, messagesPerSecond: 8_000 }
/**
 * Unread bytes allowed per visitor: the flow-control credit of all streams of a session is 4 MiB, so only a visitor that lies about its
 * credit exceeds it.
 */
const MAX_UNREAD_BYTES = 6 * 1024 * 1024
/** For all visitors together. Beyond it each may leave little unread. */
const MAX_UNREAD_OF_ALL = 256 * 1024 * 1024
const MAX_UNREAD_WHEN_FULL = 256 * 1024
/** Bytes queued for an agent at which its visitors are no longer read from. */
const MAX_WAITING_FOR_AGENT = 2 * 1024 * 1024
const PING_MS = 30_000

/** Our own WebSocket close codes. */
const CLOSED_BY_AGENT = 4000
const AWAY = 4001
const BROKE_LIMITS = 4002
const MAX_REASON = 60

interface Visitor {
  id: number
  socket: WebSocket
  provider: LowerCaseAddress
  /** Bytes from the agent that this visitor has not read. */
  unread: number
}

export interface VisitorsParts {
  callerOf: (request: IncomingMessage) => string
  /** The connection of a provider's agent, if this process holds it. */
  agentOf: (provider: LowerCaseAddress) => WebSocket | undefined
}

/**
 * Forwards sealed messages between visitors of workspaces and agents, without being able to read them. Agents apply flow control per
 * visitor, so only data in transit is queued here.
 */
export class Visitors {
  private readonly parts: VisitorsParts
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
  private readonly visitors = new Map<number, Visitor>()
  private readonly counts = new CallerCounts({ perCaller: MAX_PER_CALLER, total: MAX_VISITORS })
  private readonly perProvider = new CallerCounts({ perCaller: MAX_PER_PROVIDER, total: MAX_VISITORS })
  private newest = 0
  private unread = 0
  private closed = false

  constructor(parts: VisitorsParts) {
    this.parts = parts
  }

  get connected(): number {
    return this.visitors.size
  }

  /** Bytes waiting for visitors to read them. */
  get unreadBytes(): number {
    return this.unread
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const provider = toAddress(PATH.exec(request.url ?? '')?.[1] ?? '')
    const caller = this.parts.callerOf(request)
    const refuse = (status: string) => refuseUpgrade(socket, status, 'Retry-After: 2')
    if (!provider || this.closed) return void refuse('404 Not Found')
    const taken = this.counts.take(caller)
    if (typeof taken === 'string') return void refuse('429 Too Many Requests')
    socket.once('close', taken)
    const ofProvider = this.perProvider.take(provider)
    if (typeof ofProvider === 'string') return void refuse('503 Service Unavailable')
    socket.once('close', ofProvider)
    this.server.handleUpgrade(request, socket, head, (opened) => this.welcome(opened, provider, caller))
  }

  /** Handles a binary message of an agent for one of its visitors. */
  receive(provider: LowerCaseAddress, data: Buffer): void {
    const frame = decodeVisitorFrame(data)
    const visitor = frame && this.visitors.get(frame.visitor)
    if (!visitor || visitor.provider !== provider) return
    if (frame.type === VISITOR.close) this.drop(visitor, CLOSED_BY_AGENT, frame.body.toString())
    else if (frame.type === VISITOR.data) this.pass(visitor, frame.body)
  }

  /** The agent's connection has ended: its visitors reconnect when it is back. */
  agentLeft(provider: LowerCaseAddress): void {
    for (const visitor of this.visitors.values())
      if (visitor.provider === provider) this.drop(visitor, AWAY, 'stream_interrupted')
  }

  close(): void {
    this.closed = true
    for (const visitor of this.visitors.values()) this.drop(visitor, AWAY, 'stream_interrupted')
    this.server.close()
  }

  private welcome(socket: WebSocket, provider: LowerCaseAddress, caller: string): void {
    // Before anything may come of it: without a listener the process would end.
    socket.on('error', () => socket.terminate())
    if (!this.parts.agentOf(provider)) {
      endWebSocket(socket, AWAY, 'provider_offline')
      return
    }
    this.newest = (this.newest + 1) % 2 ** 32
    const visitor: Visitor = { id: this.newest, socket, provider, unread: 0 }
    this.visitors.set(visitor.id, visitor)
    const pace = new Pace(socket, RATE)
    let isThere = true
    const pinger = setInterval(() => {
      if (!isThere) return socket.terminate()
      isThere = false
      socket.ping()
    }, PING_MS)
    socket.on('pong', () => {
      isThere = true
    })
    socket.on('close', () => {
      clearInterval(pinger)
      pace.close()
      if (this.visitors.delete(visitor.id)) this.tell(visitor, VISITOR.close, Buffer.from('stream_interrupted'))
    })
    let isHeld = false
    const release = () => {
      if (isHeld) socket.resume()
      isHeld = false
    }
    socket.on('message', (data: RawData, isBinary) => {
      if (!isBinary) return this.drop(visitor, BROKE_LIMITS, 'bad_request')
      pace.take((data as Buffer).length)
      const agent = this.tell(visitor, VISITOR.data, data as Buffer, release)
      if (!agent || agent.bufferedAmount <= MAX_WAITING_FOR_AGENT) return
      isHeld = true
      socket.pause()
    })
    this.tell(visitor, VISITOR.open, Buffer.from(caller))
  }

  private tell({ id, provider }: Visitor, type: number, body: Buffer, sent?: () => void): WebSocket | undefined {
    const agent = this.parts.agentOf(provider)
    agent?.send(encodeVisitorFrame({ type, visitor: id, body }), { binary: true }, sent)
    return agent
  }

  private pass(visitor: Visitor, body: Uint8Array): void {
    const limit = this.unread > MAX_UNREAD_OF_ALL ? MAX_UNREAD_WHEN_FULL : MAX_UNREAD_BYTES
    if (visitor.unread + body.length > limit) {
      this.drop(visitor, BROKE_LIMITS, 'stream_interrupted')
      visitor.socket.terminate()
      return
    }
    visitor.unread += body.length
    this.unread += body.length
    visitor.socket.send(body, { binary: true }, () => {
      visitor.unread -= body.length
      this.unread -= body.length
    })
  }

  private drop(visitor: Visitor, code: number, reason: string): void {
    if (!this.visitors.delete(visitor.id)) return
    if (code !== CLOSED_BY_AGENT) this.tell(visitor, VISITOR.close, Buffer.from(reason))
    endWebSocket(visitor.socket, code, reason.replace(/[^a-z_]/g, '').slice(0, MAX_REASON))
  }
}
