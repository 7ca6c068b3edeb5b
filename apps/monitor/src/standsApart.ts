import { type LookupAddress, promises } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { neighbourhoodOf } from '@rackfair/rules/network/isPublicAddress'
import type { FleetProvider } from './readFleet.ts'

/** A monitor's account and its own addresses. */
export interface OwnPlace {
  account: LowerCaseAddress
  ips: readonly string[]
}

/**
 * Whether a monitor may report on a provider. It does not report on its own operator's machines, nor on those in its own /24 or, with IPv6,
 * /48: they may belong to the same owner, and an outage of one network cuts off both. The chain cannot see that, so it is up to the
 * monitor.
 */
export function standsApart({ address, operator, ip }: FleetProvider, { account, ips }: OwnPlace): boolean {
  if (address === account || operator === account) return false
  const theirs = neighbourhoodOf(ip)
  return theirs === undefined || !ips.some((own) => neighbourhoodOf(own) === theirs)
}

interface OwnIpsOptions {
  /** Configured by its owner: behind NAT the machine does not know its public address. */
  named: readonly string[]
  /** The URL at which the monitor publishes. */
  url: string | undefined
  lookup?: (host: string) => Promise<readonly LookupAddress[]>
  interfaces?: typeof networkInterfaces
}

/**
 * The addresses that a monitor knows to be its own: the configured ones, those of its machine, and those that its public name resolves to.
 */
export function createOwnIps({
  named,
  url,
  lookup = (host) => promises.lookup(host, { all: true }),
  interfaces = networkInterfaces,
}: OwnIpsOptions): () => Promise<readonly string[]> {
  const host = url === undefined ? undefined : new URL(url).hostname.replace(/^\[|\]$/g, '')
  // While the name cannot be resolved, its last addresses apply.
  let published: readonly string[] = []
  return async () => {
    if (host !== undefined && isIP(host) === 0) {
      const found = await lookup(host).catch(() => undefined)
      if (found) published = found.map(({ address }) => address)
    } else if (host !== undefined) published = [host]
    const ofMachine = Object.values(interfaces()).flatMap((all) => (all ?? []).map(({ address }) => address))
    return [...named, ...published, ...ofMachine]
  }
}
