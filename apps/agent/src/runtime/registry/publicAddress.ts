import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from '@rackfair/core'

const special = new BlockList()
const global6 = new BlockList()
const add = (list: BlockList, range: string, type: 'ipv4' | 'ipv6') => {
  const [net = '', prefix] = range.split('/')
  list.addSubnet(net, Number(prefix), type)
}
for (const range of SPECIAL_IPV4) add(special, range, 'ipv4')
for (const range of SPECIAL_IPV6) add(special, range, 'ipv6')
add(global6, GLOBAL_IPV6, 'ipv6')

/** Whether an address is that of a machine on the internet; a name is none. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !special.check(address, 'ipv4')
  return isIP(address) === 6 && !address.includes('%') && global6.check(address, 'ipv6') && !special.check(address, 'ipv6')
}

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
