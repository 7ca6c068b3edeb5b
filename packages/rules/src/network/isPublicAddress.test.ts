import { BlockList, isIP } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPublicAddress, neighbourhoodOf } from './isPublicAddress.ts'
import { GLOBAL_IPV6, SPECIAL_IPV4, SPECIAL_IPV6 } from './specialAddresses.ts'

const listOf = (ranges: readonly string[], type: 'ipv4' | 'ipv6') => {
  const list = new BlockList()
  for (const range of ranges) list.addSubnet(range.split('/')[0] as string, Number(range.split('/')[1]), type)
  return list
}
const special = listOf(SPECIAL_IPV4, 'ipv4')
const special6 = listOf(SPECIAL_IPV6, 'ipv6')
const global6 = listOf([GLOBAL_IPV6], 'ipv6')

/** According to Node's own parser and block lists. */
const byNode = (ip: string) => {
  if (ip.includes('%')) return false
  if (isIP(ip) === 4) return !special.check(ip, 'ipv4')
  return isIP(ip) === 6 && global6.check(ip, 'ipv6') && !special6.check(ip, 'ipv6')
}

it.each(['8.8.8.8', '1.1.1.1', '2606:4700::1111', '2a00:1450:4001:80e::200e', '2a00::8.8.8.8'])('%s is public', (ip) => {
  expect(isPublicAddress(ip)).toBe(true)
})

it.each([
  ...['127.0.0.1', '10.1.2.3', '169.254.169.254', '100.64.0.1', '168.63.129.16', '192.31.196.1', '224.0.0.1', '0.0.0.0'],
  ...[
    '::1',
    '::',
    'fe80::1',
    'fc00::1',
    '::ffff:8.8.8.8',
    '64:ff9b::8.8.8.8',
    '2002:808:808::',
    '2001:db8::1',
    '2606:4700::1%eth0',
  ],
  ...[
    '',
    'example.org',
    '08.8.8.8',
    '8.8.8',
    '8.8.8.256',
    '0x8.8.8.8',
    '2606::4700::1',
    '2606:4700',
    '2606::1:8.8.8.256',
    '2606:1:2::3:4:5:6:7:8',
    '2606:1::2::3',
    '2606:1:2:3::4:5:6:7::8',
    '2606::8.8.8.8x',
    '2606::8.8.8.8:1',
    '2606::1\n2606::8.8.8.8',
    'x2606::8.8.8.8x',
    `2606::${'0'.repeat(45)}1`,
    '2606:4700:::1',
    '8.8.8.8 ',
    '1:2:3:4:5:6:7:8:9',
  ],
])('%s is not public', (ip) => {
  expect(isPublicAddress(ip)).toBe(false)
})

it('agrees with Node on every address, and on what is not an address', () => {
  const near = fc.constantFrom(...SPECIAL_IPV4, ...SPECIAL_IPV6).map((range) => range.split('/')[0] as string)
  const almost = fc.string({ unit: fc.constantFrom(...'0123456789abcdef:.%'), maxLength: 24 })
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), near, almost), (ip) => {
      expect(isPublicAddress(ip)).toBe(byNode(ip))
    }),
    { numRuns: 2000 },
  )
})

it('groups addresses by /24 or /48, and has no group for addresses that are not public', () => {
  expect(neighbourhoodOf('8.8.4.9')).toBe(neighbourhoodOf('8.8.4.255'))
  expect(neighbourhoodOf('8.8.4.9')).not.toBe(neighbourhoodOf('8.8.5.9'))
  expect(neighbourhoodOf('2a01:4f8:12::1')).toBe(neighbourhoodOf('2a01:4f8:12:ffff:1:2:3:4'))
  expect(neighbourhoodOf('2a01:4f8:12::1')).not.toBe(neighbourhoodOf('2a01:4f8:13::1'))
  expect(['127.0.0.1', '10.0.0.1', '::1', 'fd00::1', '203.0.113.7', 'x'].map(neighbourhoodOf)).toEqual(Array(6).fill(undefined))
})
