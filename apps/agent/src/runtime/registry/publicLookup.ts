import { lookup as resolve } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from '@rackfair/core'

/**
 * Resolves names to addresses of the internet only. A renter names the registry, and this machine connects to it: without this the
 * provider's own network and metadata services could be asked. It holds at each connection, so also for redirects and changing answers.
 */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return done(error, '', 0)
    const allowed = addresses.filter(({ address }) => isPublicAddress(address))
    const [first] = allowed
    if (!first) return done(new Error(`${hostname} is not on the internet`) as NodeJS.ErrnoException, '', 0)
    if (options.all) done(null, allowed)
    else done(null, first.address, first.family)
  })
}
