import { lowerCaseAddress } from '@rackfair/rules/address'
import { z } from 'zod'
import { addressString, count } from './scalars.ts'

/**
 * What an edge and an agent say to each other. The agent opens a control connection: TLS 1.3 with this name by ALPN, then lines of JSON.
 * For each visitor it dials a plain TCP connection, sends the ticket it was given as one line, and gets a line that says who visits; every
 * byte after that is the visitor's. Both sides ignore members and messages that they do not know.
 */
export const DOOR_PROTOCOL = 'rackfair-door/1'
export const DOOR_PORTS = { control: 5998, dial: 5999 } as const
/** Context of the TLS exporter that a hello is bound to. */
export const DOOR_EXPORTER = 'EXPORTER-rackfair-door'
export const DOOR_EXPORTER_BYTES = 32
/** Characters of a line, without its end. */
export const MAX_DOOR_LINE = 8192
/** The most connections that an agent may keep waiting for visitors. */
export const MAX_SPARES = 64
/** Domains of renters in one message, and of one provider. */
export const MAX_DOMAINS_SAID = 16
export const MAX_DOMAINS = 256
/** How long a ticket may be used, and how long either side may be silent, in milliseconds. */
export const DOOR_TIMES = { ticketMs: 10_000, pingMs: 1_000, silenceMs: 6_000 } as const

const TICKET = /^[0-9a-f]{32}$/
export const TICKET_BYTES = 33

const port = z.number().int().min(1).max(65_535)
const hostName = z.string().regex(/^[a-z0-9.-]{1,253}$/)

/** Messages from an agent to an edge. */
export const doorAgentMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    chainId: count,
    provider: addressString,
    /** The raw port that it would like to have: the one that the provider registered. */
    port: port.optional(),
    /** Of an ordinary account: the operator's key is a file of the agent. */
    signature: z.string().regex(/^0x[0-9a-f]{130}$/),
  }),
  /** Instead of a hello: what would this provider be given? Nothing is kept for it. The edge answers with a `place`, and ends. */
  z.object({ type: z.literal('ask'), provider: addressString, port: port.optional() }),
  /** How many connections it keeps waiting. */
  z.object({ type: z.literal('spares'), count: z.number().int().min(0).max(MAX_SPARES) }),
  /** Domains of renters that point to orders of this provider, and such that are none any more. */
  z.object({
    type: z.literal('domains'),
    add: z.array(z.object({ domain: hostName, order: z.string().regex(/^\d{1,20}$/) })).max(MAX_DOMAINS_SAID),
    remove: z.array(hostName).max(MAX_DOMAINS_SAID),
  }),
  z.object({ type: z.literal('ping') }),
])
export type DoorAgentMessage = z.infer<typeof doorAgentMessage>

/** Why an edge takes no visitors for a provider. */
export const fullOf = z.enum(['bytes', 'connections'])

/** Messages from an edge to an agent. */
export const doorEdgeMessage = z.discriminatedUnion('type', [
  /** `edge` is the name that the agent signs for: a hello cannot be passed on to another edge. */
  z.object({ type: z.literal('challenge'), challenge: z.string().regex(/^[0-9a-f]{64}$/), edge: hostName }),
  /**
   * `name` and all names below it lead to this provider, at `tlsPort` and `plainPort`; `rawPort` of the edge does as well. Connections for
   * visitors are dialled to `dialPort`. `dns`: at that port of the edge's address a name server takes changes (RFC 2136) of the TXT records
   * of `_acme-challenge.<name>`, a zone of its own, signed by TSIG with HMAC-SHA256, this secret, and a key of the same name.
   */
  z.object({
    type: z.literal('welcome'),
    ...{ name: hostName, rawPort: port, tlsPort: port, plainPort: port, dialPort: port, connections: count },
    dns: z.object({ port, secret: z.string().regex(/^[A-Za-z0-9+/]{43}=$/) }).optional(),
  }),
  /** The agent dials one connection for each. */
  z.object({ type: z.literal('dial'), tickets: z.array(z.string().regex(TICKET)).min(1).max(MAX_SPARES) }),
  z.object({ type: z.literal('pong') }),
  /** Whether visitors of a renter's domain are sent: it has to point to the order that the agent said. */
  z.object({ type: z.literal('domain'), domain: hostName, order: z.string().max(20), isServed: z.boolean() }),
  /** Visitors are turned away, at least until then, in Unix seconds. */
  z.object({ type: z.literal('full'), of: fullOf, until: count }),
  /** This edge is about to stop; visitors that it has are served for that many milliseconds more. */
  z.object({ type: z.literal('bye'), afterMs: count }),
  z.object({ type: z.literal('place'), name: hostName, rawPort: port }),
  z.object({ type: z.literal('refused'), code: z.string().max(40), message: z.string().max(300) }),
])
export type DoorEdgeMessage = z.infer<typeof doorEdgeMessage>

/** An edge as its owner tells it to providers. */
export interface EdgeAddress {
  host: string
  /** Of its control connections. */
  port: number
  /** SHA-256 of its certificate. */
  fingerprint: string
}

/**
 * Parses `name#fingerprint`, or `name:port#fingerprint`; undefined if it is neither.
 * @example parseEdge(`edge.example#${'ab'.repeat(32)}`) // { host: 'edge.example', port: 5998, fingerprint: 'abab…' }
 */
export function parseEdge(text: string): EdgeAddress | undefined {
  const match = /^([a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?)(?::(\d{4,5}))?#([0-9a-f]{64})$/.exec(text.trim().toLowerCase())
  const [, host = '', own, fingerprint = ''] = match ?? []
  const control = own === undefined ? DOOR_PORTS.control : Number(own)
  return match && control >= 1024 && control <= 65_535 ? { host, port: control, fingerprint } : undefined
}

/** The text that `parseEdge` parses. */
export const formatEdge = ({ host, port, fingerprint }: EdgeAddress): string =>
  `${host}${port === DOOR_PORTS.control ? '' : `:${port}`}#${fingerprint}`

/** The body of `POST /v1/cp/{address}/edge`: an edge, as `parseEdge` parses it. */
export const edgeRequest = z.object({ edge: z.string().max(400) })

/**
 * What an agent signs with its operator key to be given visitors. `binding` is the hex of the TLS exporter of the control connection: whoever
 * stands between the two has another one.
 */
export function formatDoorHello(facts: {
  chainId: number
  provider: string
  edge: string
  challenge: string
  binding: string
}): string {
  const { chainId, provider, edge, challenge, binding } = facts
  return `rackfair edge\nchain: ${chainId}\nprovider: ${lowerCaseAddress(provider)}\nedge: ${edge}\nchallenge: ${challenge}\nconnection: ${binding}`
}

/**
 * Reads one line. Returns undefined for a message that this version does not know, which is ignored.
 * @throws Error for anything that is not a message, or one of a known type with malformed members; the connection then ends.
 */
export function readDoorMessage<T>(
  schema: z.ZodType<T> & { options: readonly { shape: { type: { value: string } } }[] },
  line: string,
) {
  const json: unknown = JSON.parse(line)
  const parsed = schema.safeParse(json)
  if (parsed.success) return parsed.data
  const type = (json as { type?: unknown } | null)?.type
  if (typeof type === 'string' && !schema.options.some((one) => one.shape.type.value === type)) return undefined
  throw new Error('a malformed message')
}

/** Splits text into lines. `push` returns false once a line is longer than `MAX_DOOR_LINE`; nothing is read after that. */
export function createDoorLines(onLine: (line: string) => void) {
  let rest = ''
  return {
    push(text: string): boolean {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        if (line.length > MAX_DOOR_LINE) return false
        onLine(line)
      }
      return rest.length <= MAX_DOOR_LINE
    },
  }
}

/** `tls`: to the port for TLS, by the server name in `name`; `plain`: to the port for HTTP, by its Host header; `raw`: to the raw port. */
export type DoorKind = 'tls' | 'plain' | 'raw'

/** Who visits: the first line on a connection that an agent dialled. */
export interface DoorVisitor {
  kind: DoorKind
  /** The visitor's IP address. */
  from: string
  /** By which name; empty at the raw port. */
  name: string
}

export const MAX_VISITOR_LINE = 320
const VISITOR = /^(tls|plain|raw) ([0-9a-fA-F:.]{2,45}) ([a-z0-9._-]{0,253})$/

export const formatDoorVisitor = ({ kind, from, name }: DoorVisitor): string => `${kind} ${from} ${name}\n`

/** Parses the line without its end; undefined if it is not one. */
export function parseDoorVisitor(line: string): DoorVisitor | undefined {
  const match = line.length <= MAX_VISITOR_LINE ? VISITOR.exec(line) : null
  if (!match) return undefined
  const [, kind, from = '', name = ''] = match
  return { kind: kind as DoorKind, from, name }
}

/** The ticket in the first line of a dialled connection; undefined if it is none. */
export function parseDoorTicket(line: string): string | undefined {
  const ticket = line.slice(0, -1)
  return line.endsWith('\n') && TICKET.test(ticket) ? ticket : undefined
}
