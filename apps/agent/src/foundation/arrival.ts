import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { networkOf } from '@rackfair/rules/network/networkOf'

/** Where a visitor's connection arrived, and who is at its other end. */
export interface Arrival {
  /** The visitor's address, or a proxy's. */
  from: string
  /** The port that was connected to. */
  port: number | undefined
  /** The visitor speaks TLS, with this agent or with a proxy in front of it. */
  tls: boolean
  /** A proxy in front speaks for all visitors; it names each in a header. */
  isProxied: boolean
  /** The edge that it came by. */
  edge?: ArrivalEdge | undefined
  /** SHA-256, in hex, of the certificate that this agent has shown on it; undefined where it has shown none. */
  certificate?: (() => string | undefined) | undefined
}

/** What leads to this agent through an edge. */
export interface ArrivalEdge {
  /** The name whose own names, `o-N.<domain>`, lead to orders. */
  domain: string
  /** Of the edge, for names. */
  tlsPort: number
  /** Names have certificates of this agent. */
  hasTls: boolean
  /** It came to the port for HTTP, which only leads to that for TLS. */
  isPlain: boolean
  /** What an authority is answered there that checks a name; undefined for everybody else. */
  proofOf?: ((host: string, path: string) => string | undefined) | undefined
}

const arrivals = new WeakMap<object, Arrival>()

/** Notes where a connection arrived, once: a later note about the same one is ignored. */
export function noteArrival(socket: Socket, arrival: Arrival): void {
  if (!arrivals.has(socket)) arrivals.set(socket, arrival)
}

/** Where a connection arrived; without a note, at this machine itself and without TLS. */
export const arrivalOf = (socket: Socket): Arrival => arrivals.get(socket) ?? directArrival(socket, false)

/** The arrival of a connection that was accepted on this machine. `isProxied`: a proxy with TLS is the only one that connects. */
export const directArrival = ({ remoteAddress = '', localPort }: Socket, isProxied: boolean): Arrival => ({
  ...{ from: remoteAddress, port: localPort, tls: isProxied, isProxied },
})

/**
 * The network of who asks. Behind a proxy it is taken from the proxy's header; undefined without one, since all visitors share the proxy's
 * address.
 */
export function visitorOf({ socket, headers }: IncomingMessage): string | undefined {
  const { from, isProxied } = arrivalOf(socket)
  if (!isProxied) return networkOf(from)
  const said = headers['x-forwarded-for']
  const last = said === undefined ? undefined : String(said).split(',').at(-1)?.trim()
  return last ? networkOf(last) : undefined
}
