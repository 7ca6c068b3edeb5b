import { BlockList, isIP } from 'node:net'
import { GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from '@rackfair/core'

const special = new BlockList()
const global6 = new BlockList()
for (const range of SPECIAL_IPV4) add(special, range, 'ipv4')
for (const range of SPECIAL_IPV6) add(special, range, 'ipv6')
add(global6, GLOBAL_IPV6, 'ipv6')

/** Whether `ip` is the address of a machine on the internet: no name, nothing private, reserved, or that carries a version 4 address inside. */
export function isPublicAddress(ip: string): boolean {
  switch (isIP(ip)) {
    case 4:
      return !special.check(ip, 'ipv4')
    case 6:
      return !ip.includes('%') && global6.check(ip, 'ipv6') && !special.check(ip, 'ipv6')
    default:
      return false
  }
}

function add(list: BlockList, range: string, type: 'ipv4' | 'ipv6'): void {
  const [net = '', prefix] = range.split('/')
  list.addSubnet(net, Number(prefix), type)
}
