import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { formatAgentChallenge, formatHeartbeat } from '@rackfair/core'
import {
  type AgentMessage,
  agentMessage,
  type DeploymentRequest,
  DUPLICATE_AGENT,
  type PlatformMessage,
} from '@rackfair/core/wire'
import type { Logger } from 'pino'
import type { PublicClient } from 'viem'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { DeploymentStore } from '../deployments/DeploymentStore.ts'
import { verifySignature } from '../sign/verifySignature.ts'
import type { Database } from '../store/openStore.ts'

const HEARTBEAT_SECONDS = 30
const HELLO_MS = 15_000
const SILENT_MS = 95_000
const PING_MS = 30_000
/** How long the line of another agent with the same key has to answer before it makes room. */
const PRESENT_MS = 3_000
const MAX_MESSAGE_BYTES = 512 * 1024
const MAX_CONNECTIONS = 20_000

/** What an agent answered to one request. */
export interface AgentAnswer {
  status: number
  code?: string | undefined
  message?: string | undefined
}

type Hello = Extract<AgentMessage, { type: 'hello' }>

interface Line {
  socket: WebSocket
  provider: string
  operator: string
  version: string
  session: string
}

export interface RelayParts {
  db: Database
  chainId: number
  /** Where this platform is reached. An agent proves itself to one of these, so that no other platform can pass its proof on. */
  origins: readonly string[]
  client: PublicClient
  clock: () => number
  deployments: DeploymentStore
  log: Logger
  /** After a heartbeat or a status, so that readers look at once. */
  onNews: () => void
}

/** The platform's end of the lines that agents open. An agent proves its operator key; then requests go down and statuses come up. */
export class Relay {
  private readonly parts: RelayParts
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES })
  private readonly lines = new Map<string, Line>()
  private readonly answers = new Map<string, (answer: AgentAnswer) => void>()
  private closed = false

  constructor(parts: RelayParts) {
    this.parts = parts
  }

  get connected(): number {
    return this.lines.size
  }

  holds(provider: string): boolean {
    return this.lines.has(provider)
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.closed || this.server.clients.size >= MAX_CONNECTIONS) {
      socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 2\r\n\r\n')
      return
    }
    this.server.handleUpgrade(request, socket, head, (line) => void this.greet(line))
  }

  /** Sends a request down the line of its provider. `undefined` when this process does not hold it. */
  send(
    provider: string,
    requestId: string,
    request: DeploymentRequest,
    timeoutMs: number,
  ): Promise<AgentAnswer | undefined> | undefined {
    const line = this.lines.get(provider)
    if (!line) return undefined
    return new Promise((resolve) => {
      const done = (answer: AgentAnswer | undefined) => {
        clearTimeout(timer)
        this.answers.delete(requestId)
        resolve(answer)
      }
      const timer = setTimeout(() => done(undefined), timeoutMs)
      this.answers.set(requestId, done)
      post(line.socket, { type: 'deploy', requestId, ...request })
    })
  }

  /** Sends everything that waits for this provider. */
  async deliver(provider: string): Promise<void> {
    for (const { id, request } of await this.parts.deployments.waitingFor(provider)) {
      const answer = await this.send(provider, id, request, HELLO_MS)
      if (answer) await this.settle(id, answer)
    }
  }

  /** A refusal ends the request; a text that the agent has taken already is told by its status. */
  async settle(id: string, answer: AgentAnswer): Promise<void> {
    if (answer.status < 400 || answer.code === 'text_replayed') return
    await this.parts.deployments.fail(id, answer.code ?? 'internal', answer.message ?? `the agent answered ${answer.status}`)
    this.parts.onNews()
  }

  close(): void {
    this.closed = true
    for (const socket of this.server.clients) socket.close(1012, 'the platform restarts')
    setTimeout(() => {
      for (const socket of this.server.clients) socket.terminate()
    }, 500).unref()
    this.server.close()
  }

  private async greet(socket: WebSocket): Promise<void> {
    const challenge = randomBytes(32).toString('hex')
    let hello: Hello | undefined
    let line: Line | undefined
    let heard = Date.now()
    let queue: Promise<unknown> = Promise.resolve()
    const refuse = (code: string, message: string, closeCode = 4001) => {
      post(socket, { type: 'refused', code, message })
      socket.close(closeCode, code)
    }
    const patience = setTimeout(() => !line && refuse('unauthenticated', 'no proof in time'), HELLO_MS)
    const pulse = setInterval(() => {
      if (Date.now() - heard > SILENT_MS) socket.terminate()
      else if (socket.readyState === socket.OPEN) socket.ping()
    }, PING_MS)
    socket.on('error', () => socket.terminate())
    socket.on('close', () => {
      clearTimeout(patience)
      clearInterval(pulse)
      if (line && this.lines.get(line.provider) === line) this.lines.delete(line.provider)
    })
    post(socket, { type: 'challenge', challenge })

    const take = async (data: RawData) => {
      heard = Date.now()
      const message = readMessage(data)
      if (!message) return refuse('bad_request', 'not a message of this protocol')
      if (message.type === 'hello') {
        if (message.chainId !== this.parts.chainId)
          return refuse('wrong_chain', `this platform serves chain ${this.parts.chainId}`)
        hello = { ...message, provider: message.provider.toLowerCase() }
        return
      }
      if (message.type === 'prove') {
        if (!hello || line) return refuse('bad_request', 'prove comes once, after hello')
        const operator = message.operator.toLowerCase()
        const refusal = await this.refusalOf(hello, operator, challenge, message.signature)
        if (refusal) return refuse('forbidden', refusal)
        const { provider, version, session } = hello
        if (await this.isTaken(provider, session))
          return refuse(DUPLICATE_AGENT, 'another agent with this key is connected', 4003)
        if (socket.readyState !== socket.OPEN) return
        line = { socket, provider, operator, version, session }
        this.lines.get(provider)?.socket.close(4002, 'replaced by a newer line')
        this.lines.set(provider, line)
        await this.seen(line, 0)
        post(socket, { type: 'welcome', heartbeatSeconds: HEARTBEAT_SECONDS, origins: this.parts.origins.slice(0, 20) })
        void this.deliver(line.provider).catch((error: unknown) => this.parts.log.warn({ error }, 'mailbox was not delivered'))
        return
      }
      if (!line) return refuse('unauthenticated', 'prove the operator key first')
      if (message.type === 'heartbeat') return this.heartbeat(line, message.time, message.signature)
      if (message.type === 'status') {
        await this.parts.deployments.report(line.provider, message.deployment)
        return this.parts.onNews()
      }
      if (message.deployment) {
        await this.parts.deployments.report(line.provider, message.deployment, message.requestId)
        this.parts.onNews()
      }
      this.answers.get(message.requestId)?.(message)
    }
    socket.on('message', (data) => {
      queue = queue
        .then(() => take(data))
        .catch((error: unknown) => {
          this.parts.log.warn({ reason: error instanceof Error ? error.message : String(error) }, 'a message of an agent failed')
        })
    })
  }

  /** Whether another agent has the line of this provider and still answers. One that does not is cut. */
  private async isTaken(provider: string, session: string): Promise<boolean> {
    for (;;) {
      const other = this.lines.get(provider)
      if (!other || other.session === session) return false
      if (await isPresent(other.socket)) return true
      other.socket.terminate()
      if (this.lines.get(provider) === other) this.lines.delete(provider)
    }
  }

  private async refusalOf(hello: Hello, operator: string, challenge: string, signature: string): Promise<string | undefined> {
    const { provider, platform } = hello
    const row = await this.parts.db.selectFrom('provider').select('operator').where('address', '=', provider).executeTakeFirst()
    if (!row) return 'this provider is not registered, or its registration is not indexed yet'
    if (operator !== row.operator && operator !== provider) return 'this key is not the operator of the provider'
    if (!this.parts.origins.includes(platform))
      return `this platform is not ${platform}; an agent names ${this.parts.origins[0]} in its configuration, or its operator adds --public-url ${platform}`
    const text = formatAgentChallenge({ chainId: this.parts.chainId, provider, platform, challenge })
    return (await verifySignature(this.parts.client, operator, text, signature))
      ? undefined
      : 'the proof is not signed by this key'
  }

  private async heartbeat(line: Line, time: number, signature: string): Promise<void> {
    const text = formatHeartbeat({ chainId: this.parts.chainId, provider: line.provider, time })
    if (Math.abs(time - this.parts.clock() / 1000) > 300) return
    if (!(await verifySignature(this.parts.client, line.operator, text, signature))) {
      line.socket.close(4001, 'signature_invalid')
      return
    }
    await this.seen(line, time)
  }

  /** Keeps when an agent was heard. A signed time that is not later than the last one changes nothing. */
  private async seen(line: Line, signedTime: number): Promise<void> {
    const row = { lastSeen: Math.floor(this.parts.clock() / 1000), version: line.version }
    await this.parts.db
      .insertInto('heartbeat')
      .values({ provider: line.provider, ...row, signedTime })
      .onConflict((conflict) => {
        const update = conflict.column('provider').doUpdateSet(signedTime > 0 ? { ...row, signedTime } : row)
        return signedTime > 0 ? update.where('heartbeat.signedTime', '<', signedTime) : update
      })
      .execute()
    this.parts.onNews()
  }
}

function post(socket: WebSocket, message: PlatformMessage): void {
  if (socket.readyState === socket.OPEN) socket.send(JSON.stringify(message))
}

/** Whether the other end answers in time. */
function isPresent(socket: WebSocket): Promise<boolean> {
  if (socket.readyState !== socket.OPEN) return Promise.resolve(false)
  return new Promise((resolve) => {
    const done = (present: boolean) => {
      clearTimeout(timer)
      socket.off('pong', onPong).off('close', onClose)
      resolve(present)
    }
    const onPong = () => done(true)
    const onClose = () => done(false)
    const timer = setTimeout(() => done(false), PRESENT_MS)
    socket.on('pong', onPong).on('close', onClose).ping()
  })
}

function readMessage(data: RawData): AgentMessage | undefined {
  try {
    return agentMessage.parse(JSON.parse(data.toString()))
  } catch {
    return undefined
  }
}
