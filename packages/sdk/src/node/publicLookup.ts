import { lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '@rackfair/rules/network/isPublicAddress'

/**
 * Resolves names to public addresses only, as the `lookup` of a request. Strangers name what this machine connects to: without it they could
 * ask the network around it, and the metadata service of its cloud. It holds at each connection, so also where a name's addresses change.
 * Fails if none is public. An address in place of a name is never looked up: see `isInsideIp`.
 * @example request(url, { lookup: publicLookup, agent: false })
 */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0)
    const allowed = addresses.filter(({ address }) => isPublicAddress(address))
    const [first] = allowed
    if (!first) return done(new Error(`${hostname} is not on the internet`), '', 0)
    if (options.all) done(null, allowed)
    else done(null, first.address, first.family)
  })
}

/**
 * Whether the host of a URL is an IP address that is not public. Names are up to `publicLookup`.
 * @example isInsideIp(new URL('https://[::1]')) // true
 */
export function isInsideIp({ hostname }: Pick<URL, 'hostname'>): boolean {
  const ip = hostname.replace(/^\[|\]$/g, '')
  return isIP(ip) !== 0 && !isPublicAddress(ip)
}
