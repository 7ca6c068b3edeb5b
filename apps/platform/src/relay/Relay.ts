import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { DeploymentRequest } from '@rackfair/protocol/deploymentRequests'
import { type AgentMessage, DUPLICATE_AGENT } from '@rackfair/protocol/relay'
import type { AnnouncedKeysWire } from '@rackfair/protocol/workspace'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { Logger } from 'pino'
import type { PublicClient } from 'viem'
import { type WebSocket, WebSocketServer } from 'ws'
import type { DeploymentStore } from '../deployments/DeploymentStore.ts'
import { CallerCounts } from '../limits/CallerCounts.ts'
import { endWebSocket, refuseUpgrade } from '../limits/lastWords.ts'
import { RateLimiter } from '../limits/RateLimiter.ts'
import type { Presence } from '../presence/Presence.ts'
import type { Database } from '../store/openStore.ts'
import { isPresent, post, readMessage } from './agentSocket.ts'
import { type Allowance, Inbox, newAllowance } from './Inbox.ts'
import { isOlder } from './isOlder.ts'
import { Pace } from './Pace.ts'
import { type Hello, proofRefusal } from './proofRefusal.ts'
import { Visitors } from './Visitors.ts'

const HEARTBEAT_SECONDS = 30
const HANDSHAKE_MS = 15_000
const SILENT_MS = 95_000
const ANSWER_MS = 15_000
/** Large enough for 32 steps with messages of maximum length, in any script. */
const MAX_MESSAGE_BYTES = 160 * 1024
/** For an agent's messages to visitors of workspaces. */
const VISITOR_RATE = { bytesPerSecond: 256_000_000, messagesPerSecond: 32_000 }
const MAX_CONNECTIONS = 20_000
const MAX_UNPROVED = 2_000
const MAX_UNPROVED_PER_CALLER = 32
/** More than can be connected, so that those who are keep theirs. */
const MAX_ALLOWANCES = 2 * MAX_CONNECTIONS
/** How often one provider's agent may connect. Each connection notifies every listener. */
const CONNECT_RATE = { burst: 30, perMinute: 12 }

/** An agent's answer to one request. */
export interface AgentAnswer {
  status: number
  code?: string | undefined
  message?: string | undefined
}

interface Connection {
  socket: WebSocket
  provider: LowerCaseAddress
  version: string
  /** JSON of its machine's capacity. */
  machine: string | null
  session: string
}

export interface RelayParts {
  db: Database
  chainId: number
  /** Origins of this platform. An agent proves its key to one of these, so that no other platform can relay its proof. */
  origins: readonly string[]
  /** Agents of earlier versions are told to update and get no requests; undefined accepts every version. */
  minAgentVersion: string | undefined
  client: PublicClient
  presence: Presence
  deployments: DeploymentStore
  log: Logger
  /** What a connection is counted under: an address, or a network. */
  callerOf: (request: IncomingMessage) => string
  /** Called after a change of a deployment, so that readers read at once. */
  onNews: () => void
}

/**
 * The platform's end of the connections that agents open. An agent proves its operator key once; then requests are sent down, and statuses
 * and heartbeats come up. Heartbeats are not signed: they only show that this connection is alive, and anybody able to inject one could
 * just as well forge a status.
 */
export class Relay {
  /** Visitors of workspaces, forwarded to the agents. */
  readonly visitors: Visitors
  private readonly parts: RelayParts
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false })
  private readonly connections = new Map<string, Connection>()
  private readonly answers = new Map<string, { provider: LowerCaseAddress; done: (answer: AgentAnswer) => void }>()
  private readonly unproved = new CallerCounts({ perCaller: MAX_UNPROVED_PER_CALLER, total: MAX_UNPROVED })
  private readonly connects = new RateLimiter(1)
  /** Of each provider, over all of its connections; the one used last comes last. */
  private readonly allowances = new Map<LowerCaseAddress, Allowance>()
  private closed = false

  constructor(parts: RelayParts) {
    this.parts = parts
    const { callerOf } = parts
    this.visitors = new Visitors({ callerOf, agentOf: (provider) => this.openSocketOf(provider) })
  }

  get connected(): number {
    return this.connections.size
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const isFull = this.closed || this.server.clients.size >= MAX_CONNECTIONS
    const proved = isFull ? 'total' : this.unproved.take(this.parts.callerOf(request))
    if (typeof proved === 'string') {
      const status = proved === 'total' ? '503 Service Unavailable' : '429 Too Many Requests'
      refuseUpgrade(socket, status, 'Retry-After: 2')
      return
    }
    socket.once('close', proved)
    this.server.handleUpgrade(request, socket, head, (opened) => this.handshake(opened, proved))
  }

  /** Sends a request to a provider over its connection. `undefined` if this process does not hold it. */
  send(
    provider: LowerCaseAddress,
    requestId: string,
    request: DeploymentRequest,
    timeoutMs: number,
  ): Promise<AgentAnswer | undefined> | undefined {
    const connection = this.connections.get(provider)
    if (!connection) return undefined
    return new Promise((resolve) => {
      const done = (answer: AgentAnswer | undefined) => {
        clearTimeout(timer)
        this.answers.delete(requestId)
        resolve(answer)
      }
      const timer = setTimeout(() => done(undefined), timeoutMs)
      this.answers.set(requestId, { provider, done })
      post(connection.socket, { type: 'deploy', requestId, ...request })
    })
  }

  /** Sends everything queued for this provider. */
  async deliver(provider: LowerCaseAddress): Promise<void> {
    for (const { id, request } of await this.parts.deployments.waitingFor(provider)) {
      const answer = await this.send(provider, id, request, ANSWER_MS)
      if (answer) await this.settle(id, answer)
    }
  }

  /** A refusal ends the request; for a text that the agent has already accepted, its status reports the outcome. */
  async settle(id: string, answer: AgentAnswer): Promise<void> {
    if (answer.status < 400 || answer.code === 'text_replayed') return
    await this.parts.deployments.fail(id, answer.code ?? 'internal', answer.message ?? `the agent answered ${answer.status}`)
    this.parts.onNews()
  }

  close(): void {
    this.closed = true
    this.visitors.close()
    for (const socket of this.server.clients) socket.close(1012, 'the platform restarts')
    setTimeout(() => {
      for (const socket of this.server.clients) socket.terminate()
    }, 500).unref()
    this.server.close()
  }

  private handshake(socket: WebSocket, proved: () => void): void {
    const { log, chainId } = this.parts
    const challenge = randomBytes(32).toString('hex')
    let hello: Hello | undefined
    let connection: Connection | undefined
    const refuse = (code: string, message: string, closeCode = 4001) => {
      inbox.close()
      post(socket, { type: 'refused', code, message })
      endWebSocket(socket, closeCode, code)
    }
    const inbox = new Inbox({
      pause: () => socket.pause(),
      resume: () => socket.resume(),
      handle: (data) => take(data),
      onError: (error) => log.warn({ reason: reasonOf(error) }, 'a message of an agent failed'),
      onExcess: (message) => refuse('rate_limited', message),
    })
    const pace = new Pace(socket, VISITOR_RATE)
    let deadline = setTimeout(() => refuse('unauthenticated', 'no proof in time'), HANDSHAKE_MS)
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearTimeout(deadline)
      inbox.close()
      pace.close()
      if (connection && this.connections.get(connection.provider) === connection) {
        this.connections.delete(connection.provider)
        this.visitors.agentLeft(connection.provider)
      }
    })

    const take = async (data: Buffer): Promise<void> => {
      const message = readMessage(data)
      if (!message) return refuse('bad_request', 'not a message of this protocol')
      if (connection) {
        deadline.refresh()
        return this.receive(connection, message)
      }
      if (message.type === 'hello' && !hello) {
        if (message.chainId !== chainId) return refuse('wrong_chain', `this platform serves chain ${chainId}`)
        hello = { ...message, provider: lowerCaseAddress(message.provider) }
      } else if (message.type === 'prove' && hello) {
        const { provider, version, session } = hello
        const machine = hello.machine ? JSON.stringify(hello.machine) : null
        const proof = { operator: lowerCaseAddress(message.operator), challenge, signature: message.signature }
        const refusal = await proofRefusal(this.parts, hello, proof)
        if (refusal) return refuse('forbidden', refusal)
        const seconds = this.connects.take('connect', provider, CONNECT_RATE)
        if (seconds > 0) return refuse('rate_limited', `this agent connects too often; it may come again in ${seconds} s`)
        const { minAgentVersion } = this.parts
        if (minAgentVersion !== undefined && isOlder(version, minAgentVersion))
          return refuse(
            'agent_too_old',
            `this agent is ${version || 'of no version'}, and this platform accepts ${minAgentVersion} and later: update it. Its orders keep running meanwhile, but get no requests`,
          )
        if (await this.isTaken(provider, session))
          return refuse(DUPLICATE_AGENT, 'another agent with this key is connected', 4003)
        if (socket.readyState !== socket.OPEN) return
        connection = { socket, provider, version, machine, session }
        inbox.countIn(this.allowanceOf(provider))
        proved()
        clearTimeout(deadline)
        deadline = setTimeout(() => socket.terminate(), SILENT_MS)
        this.welcome(connection)
      } else refuse('unauthenticated', 'say hello once, then prove the operator key')
    }
    socket.on('message', (data, isBinary) => {
      if (!isBinary) return inbox.push(data as Buffer)
      if (!connection) return refuse('unauthenticated', 'prove the operator key first')
      pace.take((data as Buffer).length)
      this.visitors.receive(connection.provider, data as Buffer)
    })
    post(socket, { type: 'challenge', challenge })
  }

  private welcome(connection: Connection): void {
    const { socket, provider, version, machine } = connection
    const older = this.connections.get(provider)?.socket
    if (older) endWebSocket(older, 4002, 'replaced by a newer connection')
    this.visitors.agentLeft(provider)
    this.connections.set(provider, connection)
    this.parts.presence.heard(provider, version, machine)
    post(socket, { type: 'welcome', heartbeatSeconds: HEARTBEAT_SECONDS, origins: this.parts.origins.slice(0, 20) })
    void this.deliver(provider).catch((error: unknown) => this.parts.log.warn({ error }, 'mailbox was not delivered'))
  }

  /** Handles a message of an agent that has proved its key. */
  private async receive(connection: Connection, message: AgentMessage): Promise<void> {
    const { deployments, presence, onNews } = this.parts
    const { provider, version } = connection
    if (message.type === 'heartbeat' && message.machine) connection.machine = JSON.stringify(message.machine)
    presence.heard(provider, version, connection.machine)
    if (message.type === 'status') {
      if (await deployments.report(provider, message.deployment)) onNews()
    } else if (message.type === 'keys') {
      await this.keepKeys(provider, message)
    } else if (message.type === 'answer') {
      if (message.deployment && (await deployments.report(provider, message.deployment, message.requestId))) onNews()
      const asked = this.answers.get(message.requestId)
      if (asked?.provider === provider) asked.done(message)
    }
  }

  /** Keys are kept while the agent is offline: what is sealed to them waits for it. */
  private async keepKeys(provider: LowerCaseAddress, { text, signature }: AnnouncedKeysWire): Promise<void> {
    const insert = this.parts.db.insertInto('announcedKeys').values({ provider, text, signature })
    await insert.onConflict((conflict) => conflict.column('provider').doUpdateSet({ text, signature })).execute()
  }

  /** One that reconnects goes on with what it had left. */
  private allowanceOf(provider: LowerCaseAddress): Allowance {
    const allowance = this.allowances.get(provider) ?? newAllowance()
    this.allowances.delete(provider)
    this.allowances.set(provider, allowance)
    if (this.allowances.size > MAX_ALLOWANCES) this.allowances.delete(this.allowances.keys().next().value as LowerCaseAddress)
    return allowance
  }

  private openSocketOf(provider: LowerCaseAddress): WebSocket | undefined {
    const socket = this.connections.get(provider)?.socket
    return socket?.readyState === socket?.OPEN ? socket : undefined
  }

  /** Whether another agent holds this provider's connection and still answers. One that does not is disconnected. */
  private async isTaken(provider: LowerCaseAddress, session: string): Promise<boolean> {
    for (;;) {
      const other = this.connections.get(provider)
      if (!other || other.session === session) return false
      if (await isPresent(other.socket)) return true
      other.socket.terminate()
      if (this.connections.get(provider) === other) this.connections.delete(provider)
    }
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
