import { randomBytes } from 'node:crypto'
import { formatAgentChallenge } from '@rackfair/protocol/agentTexts'
import { type DeploymentReport, type DeploymentWire, MAX_REPORTED_STEPS } from '@rackfair/protocol/deployments'
import {
  type AgentMessage,
  type AnnouncedMachine,
  DUPLICATE_AGENT,
  type PlatformMessage,
  platformMessage,
} from '@rackfair/protocol/relay'
import type { AnnouncedKeysWire } from '@rackfair/protocol/workspace'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { PrivateKeyAccount } from 'viem/accounts'
import WebSocket from 'ws'
import { createTokenBuckets } from '../../foundation/buckets.ts'
import type { Log } from '../../foundation/log.ts'
import { reasonOf } from '../../foundation/reasonOf.ts'
import { statusOfCode } from '../statusOfCode.ts'
import { createVisitorConnection } from './createVisitorConnection.ts'

export interface RelayOptions {
  platformUrl: string
  chainId: number
  provider: `0x${string}`
  account: PrivateKeyAccount
  version: string
  /** The machine's current resources and features; buyers are told if the provider's nodes together offer more. Never rejects. */
  machine: () => Promise<AnnouncedMachine>
  /** Answers a deploy request that came through this platform, or throws an AppError. */
  onDeploy: (request: unknown, platform: string) => Promise<DeploymentWire>
  /** The keys for sealing to this agent; announced after every connect, and periodically while connected. */
  announcedKeys: () => Promise<AnnouncedKeysWire>
  announceMs?: number
  /** The deployments reported to the platform after every connect. */
  liveDeployments: () => DeploymentWire[]
  /** Called if another agent with this key was connected before this one ever was. The connection is retried rarely, unless it is stopped. */
  onDuplicate: () => void
  log: Log
}

const MAX_PAYLOAD_BYTES = 1024 * 1024
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 30_000
/** A platform that stays silent for this long after a ping counts as gone. */
const SILENCE_MS = 45_000
const PING_MS = 15_000
/** A timer of more than 24 days has no pause at all. */
const MAX_HEARTBEAT_SECONDS = 3_600
/** Announcements are valid for seven days, and a connection may last longer. */
const ANNOUNCE_MS = 86_400_000
/** Beyond this the platform is read later, so that it takes no time from others. */
const REQUESTS = { burst: 200, refillMs: 50 }
const PAUSE_MS = 1_000
/** A platform that reads no more has its connection ended. */
const MAX_UNREAD_BYTES = 64 * 1024 * 1024
/** Length limit for messages of older steps, which keeps a report far below the platform's limit. */
const MAX_OLDER_MESSAGE = 300

export type RelayClient = ReturnType<typeof createRelayClient>

/** The agent's outbound connection to one platform: works behind NAT, proves the operator key, and reconnects by itself. */
export function createRelayClient(options: RelayOptions) {
  const { account, chainId, provider, log } = options
  const url = new URL('/v1/relay', options.platformUrl)
  const platform = url.origin
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const session = randomBytes(16).toString('hex')
  let socket: WebSocket | undefined
  let connected = false
  let wasWelcome = false
  let sites: readonly string[] = [platform]
  let stopped = false
  let retryMs = FIRST_RETRY_MS
  let retryTimer: NodeJS.Timeout | undefined
  const visitorConnection = createVisitorConnection(() => (connected ? socket : undefined))
  let heartbeatTimer: NodeJS.Timeout | undefined
  let announceTimer: NodeJS.Timeout | undefined

  const send = (message: AgentMessage) => {
    if (socket?.readyState !== WebSocket.OPEN) return
    if (socket.bufferedAmount > MAX_UNREAD_BYTES) socket.terminate()
    else socket.send(JSON.stringify(message))
  }

  /** The machine description last sent over this connection. */
  let reported = ''
  /** Resolves once hello was sent: describing this machine may take longer than the platform's challenge. */
  let handshake = Promise.resolve()
  const hello = async (connection: WebSocket) => {
    const machine = await options.machine()
    if (connection !== socket) return
    reported = JSON.stringify(machine)
    send({ type: 'hello', chainId, provider, version: options.version, platform, session, machine })
  }
  const beat = async () => {
    const connection = socket
    const machine = await options.machine()
    if (!connected || connection !== socket) return
    const isNews = JSON.stringify(machine) !== reported
    if (isNews) reported = JSON.stringify(machine)
    send({ type: 'heartbeat', ...(isNews ? { machine } : {}) })
  }

  const announce = async () => send({ type: 'keys', ...(await options.announcedKeys()) })

  const refused = (code: string, reason: string) => {
    if (code !== DUPLICATE_AGENT) return log.error('the platform refused this agent', { platform, code, reason })
    // An agent that was connected before still serves its orders' visitors, so it keeps running and retries rarely.
    retryMs = MAX_RETRY_MS
    const what = wasWelcome
      ? 'another agent has taken the place of this one at the platform; only one may run with this operator key. This one keeps serving its orders, but gets no requests until the other is stopped'
      : 'another agent with this operator key is connected; only one may run. Nothing was changed. Stop the other, or give this one a key of its own'
    log.error(what, { platform, code, reason })
    if (!wasWelcome) options.onDuplicate()
  }

  const receive = async (data: WebSocket.RawData) => {
    const { message, refusal } = readMessage(data)
    if (refusal) send(refusal)
    if (!message) return
    if (message.type === 'challenge') {
      const text = formatAgentChallenge({ chainId, provider, platform, challenge: message.challenge })
      const signature = await account.signMessage({ message: text })
      await handshake
      send({ type: 'prove', operator: lowerCaseAddress(account.address), signature })
    } else if (message.type === 'welcome') {
      connected = true
      wasWelcome = true
      sites = [platform, ...message.origins]
      retryMs = FIRST_RETRY_MS
      log.info('connected to the platform', { url: url.href })
      await announce()
      for (const deployment of options.liveDeployments()) send({ type: 'status', deployment: reportOf(deployment) })
      await beat()
      clearInterval(heartbeatTimer)
      clearInterval(announceTimer)
      announceTimer = setInterval(() => {
        announce().catch((error: unknown) => log.warn('the keys cannot be announced', { reason: reasonOf(error) }))
      }, options.announceMs ?? ANNOUNCE_MS)
      const seconds = Math.min(MAX_HEARTBEAT_SECONDS, Math.max(1, message.heartbeatSeconds))
      heartbeatTimer = setInterval(() => {
        beat().catch((error: unknown) => log.warn('a heartbeat failed', { reason: reasonOf(error) }))
      }, seconds * 1000)
    } else if (message.type === 'refused') {
      refused(message.code, message.message)
    } else {
      const { type: _, requestId, ...request } = message
      send(await answerTo(requestId, request, platform, options))
    }
  }

  const connect = () => {
    if (stopped) return
    const current = new WebSocket(url, { maxPayload: MAX_PAYLOAD_BYTES, handshakeTimeout: 10_000, perMessageDeflate: false })
    socket = current
    const liveness = watchSilence(current)
    const pace = createPace(current)
    current.on('open', () => {
      handshake = hello(current).catch(() => current.terminate())
    })
    current.on('message', (data, isBinary) => {
      liveness.heard()
      if (isBinary) return visitorConnection.receive(data as Buffer)
      pace.take()
      receive(data).catch((error: unknown) => log.warn('a message of the platform failed', { reason: reasonOf(error) }))
    })
    current.on('error', (error) => {
      if (retryMs === FIRST_RETRY_MS)
        log.warn('the platform cannot be reached; trying again', { platform, reason: error.message })
    })
    current.on('close', () => {
      liveness.stop()
      pace.stop()
      clearInterval(heartbeatTimer)
      clearInterval(announceTimer)
      if (connected) log.warn('the connection to the platform ended', { platform })
      connected = false
      visitorConnection.release()
      if (stopped) return
      retryTimer = setTimeout(connect, retryMs * (0.5 + Math.random() / 2))
      retryMs = Math.min(MAX_RETRY_MS, retryMs * 2)
    })
  }

  const stop = () => {
    stopped = true
    clearTimeout(retryTimer)
    clearInterval(heartbeatTimer)
    clearInterval(announceTimer)
    socket?.terminate()
  }

  return {
    start: connect,
    /** Nothing may be sent before the platform's welcome, after which all live deployments are reported. */
    status: (deployment: DeploymentWire) => {
      if (connected) send({ type: 'status', deployment: reportOf(deployment) })
    },
    /** Origins of the market's page: the configured one, and those that the platform names. */
    sites: () => sites,
    isConnected: () => connected,
    /** Whether it has ever been connected. */
    wasWelcome: () => wasWelcome,
    /** What the platform relays, once it knows whom to `serve`. */
    visitorConnection,
    stop,
  }
}

/** The reply to a deploy request. */
async function answerTo(
  requestId: string,
  request: { text: string },
  platform: string,
  { onDeploy, log }: Pick<RelayOptions, 'onDeploy' | 'log'>,
): Promise<AgentMessage> {
  try {
    return { type: 'answer', requestId, status: 202, deployment: reportOf(await onDeploy(request, platform)) }
  } catch (cause) {
    const error = cause instanceof AppError ? cause : new AppError('internal', 'the agent failed', { cause })
    if (!(cause instanceof AppError)) log.error('a deploy request failed', { reason: reasonOf(cause) })
    const { code, message } = error
    return { type: 'answer', requestId, status: statusOfCode(code), code, message: message.slice(0, 300) }
  }
}

/** Parses a message of the platform; a malformed deploy request gets a refusal, because somebody waits for the reply. */
function readMessage(data: WebSocket.RawData): { message?: PlatformMessage; refusal?: AgentMessage } {
  let json: unknown
  try {
    json = JSON.parse(String(data))
  } catch {
    return {}
  }
  const parsed = platformMessage.safeParse(json)
  if (parsed.success) return { message: parsed.data }
  const { type, requestId } = json as { type?: string; requestId?: unknown }
  if (type !== 'deploy' || typeof requestId !== 'string') return {}
  const facts = { status: 400, code: 'text_malformed', message: 'malformed request' } as const
  return { refusal: { type: 'answer', requestId: requestId.slice(0, 64), ...facts } }
}

/** Stops reading from a platform that requests more than an agent has to do, so that TCP slows it down. */
function createPace(socket: WebSocket) {
  const requests = createTokenBuckets(REQUESTS)
  let timer: NodeJS.Timeout | undefined
  return {
    take(): void {
      if (requests.take('') || timer) return
      socket.pause()
      timer = setTimeout(() => {
        timer = undefined
        socket.resume()
      }, PAUSE_MS)
    },
    stop: () => clearTimeout(timer),
  }
}

/** Pings the platform, and closes a connection that has gone silent. */
function watchSilence(socket: WebSocket) {
  let last = performance.now()
  const heard = () => {
    last = performance.now()
  }
  const pinger = setInterval(() => {
    if (performance.now() - last > SILENCE_MS) socket.terminate()
    else if (socket.readyState === WebSocket.OPEN) socket.ping()
  }, PING_MS)
  socket.on('pong', heard)
  return { heard, stop: () => clearInterval(pinger) }
}

/** The newest steps only: the platform keeps earlier ones. */
function reportOf(deployment: DeploymentWire): DeploymentReport {
  const newest = deployment.steps.slice(-MAX_REPORTED_STEPS)
  const steps = newest.map((step, index) =>
    step.message === undefined || index === newest.length - 1
      ? step
      : { ...step, message: step.message.slice(0, MAX_OLDER_MESSAGE) },
  )
  return { ...deployment, steps }
}
