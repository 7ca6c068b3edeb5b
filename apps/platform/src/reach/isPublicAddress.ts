import { BlockList, isIP } from 'node:net'

/** IANA's special-purpose ranges: none of them is a machine on the internet. */
const NOT_PUBLIC_4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]
/** Within 2000::/3, the only range of version 6 that is given out; outside of it nothing is public. */
const NOT_PUBLIC_6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20']

const special = new BlockList()
const global6 = new BlockList()
for (const range of NOT_PUBLIC_4) add(special, range, 'ipv4')
for (const range of NOT_PUBLIC_6) add(special, range, 'ipv6')
add(global6, '2000::/3', 'ipv6')

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
