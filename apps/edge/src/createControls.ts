import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { createServer, type TLSSocket } from 'node:tls'
import {
  createDoorLines,
  DOOR_EXPORTER,
  DOOR_EXPORTER_BYTES,
  DOOR_PROTOCOL,
  type DoorAgentMessage,
  type DoorEdgeMessage,
  doorAgentMessage,
  formatDoorHello,
  readDoorMessage,
} from '@rackfair/protocol/door'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { networkOf } from '@rackfair/rules/network/networkOf'
import { createPace } from '@rackfair/rules/network/pace'
import type { Logger } from 'pino'
import type { EdgeLimits, EdgeTimes } from './limits.ts'
import { createUnknown } from './limitUnknown.ts'
import { SOCKET_OPTIONS } from './listen.ts'
import type { Place } from './openBook.ts'

type Hello = Extract<DoorAgentMessage, { type: 'hello' }>
type Ask = Extract<DoorAgentMessage, { type: 'ask' }>

/** An agent that has proved whose it is, as long as it is connected. */
export interface Control extends Place {
  /** The name that leads to it, and all names below. */
  name: string
  /** How many connections it keeps waiting. */
  wanted: number
  send: (message: DoorEdgeMessage) => void
}

/** Why an agent is refused. */
export class Refused extends Error {
  readonly code: string
  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** Messages of one agent: a ping every second, and a few more. */
const MESSAGES = { burst: 30, perSecond: 5 }
/** Proofs of one network: each takes a question to the chain. */
const PROOFS = { burst: 10, perSecond: 1 }

export interface ControlOptions {
  /** The name that agents sign for. */
  edge: string
  chainId: number
  certificate: { key: string; cert: string }
  limits: EdgeLimits
  times: EdgeTimes
  /** Whether `signature` of `text` is by the provider or its operator. Rejects where the chain does not answer. */
  isSigned: (facts: { provider: LowerCaseAddress; text: string; signature: `0x${string}` }) => Promise<boolean>
  /** Gives a provider its place. @throws Refused */
  admit: (provider: LowerCaseAddress, wish: { port?: number | undefined }) => Promise<Omit<Control, 'send' | 'wanted'>>
  /** What `admit` would give. @throws Refused */
  placeOf: (provider: LowerCaseAddress, wish: { port?: number | undefined }) => Pick<Control, 'name' | 'rawPort'>
  welcomeOf: (control: Control) => Extract<DoorEdgeMessage, { type: 'welcome' }>
  onSpares: (control: Control) => void
  onDomains: (control: Control, said: Extract<DoorAgentMessage, { type: 'domains' }>) => void
  onGone: (control: Control) => void
  log: Logger
}
export type Controls = ReturnType<typeof createControls>

/** The control connections of agents, one for each provider: the newest. */
export function createControls(options: ControlOptions) {
  const { limits, times, certificate, log } = options
  const unknown = createUnknown(limits, times.helloMs)
  const controls = new Map<LowerCaseAddress, { control: Control; close: () => void }>()
  const server = createServer({
    ...{ ...SOCKET_OPTIONS, allowHalfOpen: false, ...certificate },
    ...{ minVersion: 'TLSv1.3', ALPNProtocols: [DOOR_PROTOCOL], handshakeTimeout: times.helloMs },
  })
  const rawOf = new Map<string, Socket>()
  const keyOf = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
  server.on('connection', (socket) => {
    if (!unknown.add(socket)) return
    const key = keyOf(socket)
    rawOf.set(key, socket)
    socket.once('close', () => rawOf.delete(key))
  })
  server.on('tlsClientError', (_error, socket) => socket.destroy())

  const take = (socket: TLSSocket, control: Control) => {
    const close = () => void socket.destroySoon()
    const before = controls.get(control.provider)
    if (before) {
      before.control.send({
        type: 'refused',
        code: 'replaced',
        message: 'a newer connection of this provider has taken its place',
      })
      options.onGone(before.control)
      before.close()
    }
    controls.set(control.provider, { control, close })
    socket.once('close', () => {
      if (controls.get(control.provider)?.control !== control) return
      controls.delete(control.provider)
      options.onGone(control)
      log.info({ provider: control.provider, name: control.name }, 'an agent has left')
    })
    log.info({ provider: control.provider, name: control.name, rawPort: control.rawPort }, 'an agent is connected')
  }

  const proofs = createPace(PROOFS, () => performance.now())
  const speak = createSpeaker(options, {
    prove: (socket, hello, challenge) => {
      if (!proofs.take(networkOf(socket.remoteAddress ?? ''))) throw new Refused('busy', 'too many tries; wait a few seconds')
      return prove(options, socket, hello, challenge)
    },
    enter(socket, control) {
      const raw = rawOf.get(keyOf(socket))
      if (controls.size >= limits.agents && !controls.has(control.provider))
        throw new Refused('crowded', 'this edge has enough agents')
      if (raw) unknown.known(raw)
      take(socket, control)
    },
  })
  server.on('secureConnection', (socket) => {
    if (socket.alpnProtocol === DOOR_PROTOCOL) speak(socket)
    else socket.destroy()
  })

  return {
    server,
    of: (provider: LowerCaseAddress): Control | undefined => controls.get(provider)?.control,
    all: () => [...controls.values()].map(({ control }) => control),
    /** Ends the control connection of one provider, or of all. */
    close(provider?: LowerCaseAddress): void {
      for (const [one, { close }] of [...controls]) if (provider === undefined || provider === one) close()
    },
  }
}

/** Talks with one agent after the other: first who it is, then how many connections it keeps ready. */
function createSpeaker(
  options: ControlOptions,
  own: {
    prove: (socket: TLSSocket, hello: Hello, challenge: string) => Promise<LowerCaseAddress>
    /** @throws Refused */
    enter: (socket: TLSSocket, control: Control) => void
  },
) {
  const { limits, times, log } = options
  return (socket: TLSSocket): void => {
    const send = (message: DoorEdgeMessage) => {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`)
    }
    const challenge = randomBytes(32).toString('hex')
    const pace = createPace(MESSAGES, () => performance.now())
    let control: Control | undefined
    let hasAsked = false
    const enter = async (hello: Hello): Promise<void> => {
      const provider = await own.prove(socket, hello, challenge)
      const place = await options.admit(provider, hello)
      if (socket.destroyed) return
      const entered = { ...place, wanted: 0, send }
      own.enter(socket, entered)
      control = entered
      // The socket's own time limit would begin anew with what is written to it.
      const silence = setTimeout(() => socket.destroy(), times.silenceMs)
      socket.on('data', () => silence.refresh()).once('close', () => clearTimeout(silence))
      send(options.welcomeOf(entered))
    }
    const refuse = (error: unknown) => {
      const { code, message } =
        error instanceof Refused ? error : { code: 'internal', message: 'this edge cannot ask the chain now' }
      if (!(error instanceof Refused)) log.warn({ reason: String(error) }, 'an agent cannot be judged')
      send({ type: 'refused', code, message })
      socket.end()
    }
    const answer = (ask: Ask) => {
      try {
        const { name, rawPort } = options.placeOf(lowerCaseAddress(ask.provider), ask)
        send({ type: 'place', name, rawPort })
        socket.end()
      } catch (error) {
        refuse(error)
      }
    }
    const receive = (line: string) => {
      if (socket.destroyed) return
      try {
        if (!pace.take('')) throw new Error('too many messages')
        const message = readDoorMessage(doorAgentMessage, line)
        if (message?.type === 'hello' && !hasAsked) {
          hasAsked = true
          enter(message).catch(refuse)
        } else if (message?.type === 'ask' && !hasAsked) {
          hasAsked = true
          answer(message)
        } else if (message?.type === 'ping' && control) send({ type: 'pong' })
        else if (message?.type === 'spares' && control) {
          control.wanted = Math.min(message.count, limits.spares)
          options.onSpares(control)
        } else if (message?.type === 'domains' && control) options.onDomains(control, message)
        else if (message) throw new Error('a message out of turn')
      } catch {
        socket.destroy()
      }
    }
    const lines = createDoorLines(receive)
    socket.setEncoding('utf8')
    socket.on('data', (text: string) => lines.push(text) || socket.destroy())
    socket.on('error', () => socket.destroy())
    send({ type: 'challenge', challenge, edge: options.edge })
  }
}

/** Whose agent it is. @throws Refused */
async function prove(
  { chainId, edge, isSigned }: ControlOptions,
  socket: TLSSocket,
  hello: Hello,
  challenge: string,
): Promise<LowerCaseAddress> {
  if (hello.chainId !== chainId) throw new Refused('other_chain', `this edge serves chain ${chainId}`)
  const provider = lowerCaseAddress(hello.provider)
  const binding = socket.exportKeyingMaterial(DOOR_EXPORTER_BYTES, DOOR_EXPORTER, Buffer.alloc(0)).toString('hex')
  const text = formatDoorHello({ chainId, provider, edge, challenge, binding })
  const isTheirs = await isSigned({ provider, text, signature: hello.signature as `0x${string}` })
  if (!isTheirs) throw new Refused('not_signed', 'this key is neither the provider’s nor its operator’s')
  return provider
}
