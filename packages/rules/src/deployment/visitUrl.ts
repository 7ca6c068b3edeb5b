import type { Deployment } from './deployment.ts'

type Told = Pick<Deployment, 'details'> & { visitUrl?: string | null | undefined }
interface Place {
  ip: string
  port: number
  domain: string
}

/** The Visit link of the specification, `{ip}:{port}/?OrderId=..&UserAddress=..`. An IPv6 address is put in brackets. */
export function visitUrl(provider: { ip: string; port: number }, orderId: bigint, userAddress: string): string {
  return `http://${hostOf(provider.ip)}:${provider.port}/?OrderId=${orderId}&UserAddress=${userAddress}`
}

/**
 * Whether a link from an agent leads to its own provider: by http or https to the registered address, the registered domain, or the order's
 * name below it; without credentials, which would only disguise the target.
 */
export function leadsToProvider(link: string, provider: Omit<Place, 'port'>, orderId: bigint): boolean {
  if (link.length > 500) return false
  const host = /^https?:\/\/(\[[0-9a-f:.]+\]|[^\s/?#@:\\[\]"'<>]+)(?::\d{1,5})?(?:[/?#][^\s"'<>\\]*)?$/i
    .exec(link)?.[1]
    ?.toLowerCase()
  const domain = provider.domain.toLowerCase()
  const own = [hostOf(provider.ip).toLowerCase(), ...(domain === '' ? [] : [domain, `o-${orderId}.${domain}`])]
  return host !== undefined && own.includes(host)
}

/** The target of Visit: the agent's link if it is the provider's own; else the registered address. */
export function visitLink(order: Place & { id: string; user: string }, told: string | null | undefined): string {
  const orderId = BigInt(order.id)
  return told && leadsToProvider(told, order, orderId) ? told : visitUrl(order, orderId, order.user)
}

/**
 * The link that people are shown: the order's name below `localhost`, where agent, market and browser share one machine; else the Visit link.
 * Programs take the Visit link, as many systems do not know such names.
 *
 * @example pageLink(order, { visitUrl, details: { localName: 'o-12-3fa9c1.localhost' } }) // 'http://o-12-3fa9c1.localhost:7070/'
 */
export function pageLink(order: Place & { id: string; user: string }, told: Told | null | undefined): string {
  const { localName } = told?.details ?? {}
  const isOwn = localName !== undefined && /^o-(\d+)-[0-9a-f]{6}\.localhost$/.exec(localName)?.[1] === order.id
  return isOwn && LOOPBACK.test(order.ip) ? `http://${localName}:${order.port}/` : visitLink(order, told?.visitUrl)
}

/** Whether a browser, by its `User-Agent`, finds names below `localhost` itself. Others, and programs, ask a system that may not know them. */
export const knowsLocalNames = (userAgent: string | undefined): boolean => /\b(Headless)?(Chrome|Firefox)\//.test(userAgent ?? '')

const LOOPBACK = /^127(\.\d{1,3}){3}$/
const hostOf = (ip: string): string => (ip.includes(':') ? `[${ip}]` : ip)

/** How a Visit link reaches its application, which decides who could read it, or pretend to be it. */
export type Reach =
  /** This very machine: nothing is sent over a network. */
  | { kind: 'here' }
  /** No TLS: whoever carries the traffic reads and changes it. */
  | { kind: 'plain' }
  /** TLS that the provider ends. Whoever holds the host's name can get a certificate for it as well: of an edge, who runs it. */
  | { kind: 'secure'; host: string }

/** @example reachOf('https://o-12.atlas.edge.example/', { domain: 'atlas.edge.example' }) // { kind: 'secure', host: 'atlas.edge.example' } */
export function reachOf(link: string, { domain }: Pick<Place, 'domain'>): Reach {
  const { protocol, hostname } = new URL(link)
  if (LOOPBACK.test(hostname) || hostname.endsWith('.localhost')) return { kind: 'here' }
  if (protocol !== 'https:') return { kind: 'plain' }
  const below = domain.toLowerCase()
  return { kind: 'secure', host: below !== '' && hostname.endsWith(below) ? below : hostname }
}
