import { type LookupAddress, promises } from 'node:dns'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { neighbourhoodOf } from '@rackfair/core'
import { type Address, isAddressEqual } from 'viem'
import type { FleetProvider } from './readFleet.ts'

/** A monitor's account and the addresses that it is reached or seen at. */
export interface OwnPlace {
  account: Address
  ips: readonly string[]
}

/**
 * Whether a monitor may speak of a provider. It is silent about its own operator's machines, and about those in its own /24 or, with version 6,
 * /48: whoever runs one may run the other, and what cuts one off cuts off both. The chain cannot see that, so it rests on the monitor itself.
 */
export function standsApart({ address, operator, ip }: FleetProvider, { account, ips }: OwnPlace): boolean {
  if (isAddressEqual(address, account) || isAddressEqual(operator, account)) return false
  const theirs = neighbourhoodOf(ip)
  return theirs === undefined || !ips.some((own) => neighbourhoodOf(own) === theirs)
}

interface OwnIpsOptions {
  /** Named by who runs it: behind a translated address this machine knows no other. */
  named: readonly string[]
  /** Where the monitor publishes. */
  url: string | undefined
  lookup?: (host: string) => Promise<readonly LookupAddress[]>
  interfaces?: typeof networkInterfaces
}

/** The addresses that a monitor knows of itself: those named, those of its machine, and those of the name at which it publishes. */
export function createOwnIps({
  named,
  url,
  lookup = (host) => promises.lookup(host, { all: true }),
  interfaces = networkInterfaces,
}: OwnIpsOptions): () => Promise<readonly string[]> {
  const host = url === undefined ? undefined : new URL(url).hostname.replace(/^\[|\]$/g, '')
  // A name that cannot be looked up for a while says what it last said.
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
