import { DEVELOPMENT_CHAIN_ID } from '@rackfair/rules/chains'

const MAX_URL = 128

/**
 * Whether clients follow the URL: it needs TLS and a host name; on a development chain any web URL will do. 128 characters at most. Paths
 * are appended to it, so it has neither a query nor a fragment.
 * @example isMonitorUrl('https://monitor.example', 985) // true
 */
export function isMonitorUrl(url: string, chainId: number): boolean {
  if (url.length > MAX_URL || /[?#@]/.test(url) || !URL.canParse(url)) return false
  const { protocol, hostname } = new URL(url)
  if (chainId === DEVELOPMENT_CHAIN_ID) return protocol === 'http:' || protocol === 'https:'
  return protocol === 'https:' && !/^[\d.]+$|\]|(^|\.)localhost\.?$/.test(hostname)
}
