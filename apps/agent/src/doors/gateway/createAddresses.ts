import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import type { AgentConfig } from '../../config/agentConfig.ts'
import type { Arrival, ArrivalEdge } from '../../foundation/arrival.ts'

/** One of this gateway's own addresses, as a request names it. */
export interface Address {
  /** The origin as the browser sees it; an owner signs for it and a session is valid only there. */
  origin: string
  hostname: string
  /** The colon and the port, if the address has one. */
  portSuffix: string
  /** The order that this host name belongs to, if any. */
  orderId: bigint | undefined
  /** It is reached by TLS. */
  isSecure: boolean
  /** The edge that leads to it. */
  edge: ArrivalEdge | undefined
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Parses the Host header of a request. Returns undefined for a name that is not this gateway's: the request then comes through somebody
 * else's site, which could relay the sign-in and have an owner sign for it.
 */
export function createAddresses(
  config: AgentConfig['gateway'],
  chainId: number,
  instance?: string,
  orderOfDomain: (name: string) => bigint | undefined = () => undefined,
) {
  const own = config.publicHost.includes(':') ? `[${config.publicHost}]` : config.publicHost
  const ownDomain = config.domain?.toLowerCase()
  const ownNames = [parse(`http://${own}`)?.hostname, ownDomain, ...(chainId === DEVELOPMENT_CHAIN_ID ? LOOPBACK : [])]
  return (host: string | undefined, { port, tls, edge }: Arrival): Address | undefined => {
    const url = /^[^/?#@\\]+$/.test(host ?? '') ? parse(`${tls ? 'https' : 'http'}://${host}`) : undefined
    if (!url || (url.port !== '' && url.port !== String(port))) return undefined
    const { hostname } = url
    const isNamed = edge !== undefined && tls
    const domain = isNamed ? edge.domain : ownDomain
    const [, order, local, below] = /^o-(\d{1,20})(?:-([0-9a-f]{6})\.localhost|\.(.+))$/.exec(hostname) ?? []
    // Cookies of a name go to all ports that it leads to: at the port of another order it is nobody's.
    const isLocal = instance !== undefined && local === instance && !edge && port === config.port
    const ofRenter = isNamed ? orderOfDomain(hostname) : undefined
    const isOrder = ofRenter !== undefined || (domain !== undefined && below === domain) || isLocal
    if (!isOrder && !(isNamed ? [domain] : ownNames).includes(hostname)) return undefined
    // A proxy may omit the port, but an order's own port is part of its origin.
    if (port !== config.port) url.port = String(port)
    const portSuffix = url.port && `:${url.port}`
    const orderId = ofRenter ?? (isOrder ? BigInt(order as string) : undefined)
    return { origin: url.origin, hostname, portSuffix, orderId, isSecure: tls, edge }
  }
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
