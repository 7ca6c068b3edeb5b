import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'
import type { AgentConfig } from '../../config/agentConfig.ts'

/** One of this gateway's own addresses, as a request names it. */
export interface Address {
  /** The origin as the browser sees it; an owner signs for it and a session is valid only there. */
  origin: string
  hostname: string
  /** The colon and the port, if the address has one. */
  portSuffix: string
  /** The order that this host name belongs to, if any. */
  orderId: bigint | undefined
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/**
 * Parses the Host header of a request received on `port`. Returns undefined for a name that is not this gateway's: the request then comes
 * through somebody else's site, which could relay the sign-in and have an owner sign for it.
 */
export function createAddresses(config: AgentConfig['gateway'], chainId: number) {
  const scheme = config.tls ? 'https' : 'http'
  const domain = config.domain?.toLowerCase()
  const own = config.publicHost.includes(':') ? `[${config.publicHost}]` : config.publicHost
  const names = new Set([parse(`${scheme}://${own}`)?.hostname, domain, ...(chainId === DEVELOPMENT_CHAIN_ID ? LOOPBACK : [])])
  return (host: string | undefined, port: number | undefined): Address | undefined => {
    const url = /^[^/?#@\\]+$/.test(host ?? '') ? parse(`${scheme}://${host}`) : undefined
    if (!url || (url.port !== '' && url.port !== String(port))) return undefined
    const { hostname } = url
    const order = domain && hostname.endsWith(`.${domain}`) ? /^o-(\d{1,20})$/.exec(hostname.slice(0, -domain.length - 1)) : null
    if (!order && !names.has(hostname)) return undefined
    // A proxy may omit the port, but an order's own port is part of its origin.
    if (port !== config.port) url.port = String(port)
    const portSuffix = url.port && `:${url.port}`
    return { origin: url.origin, hostname, portSuffix, orderId: order ? BigInt(order[1] as string) : undefined }
  }
}

function parse(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
