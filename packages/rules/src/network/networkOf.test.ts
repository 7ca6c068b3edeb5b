import { expect, test } from 'vitest'
import { networkOf, widerNetworks } from './networkOf.ts'

test.each([
  ['203.0.113.70', '203.0.113.70'],
  ['::ffff:203.0.113.70', '203.0.113.70'],
  ['::FFFF:10.20.30.40', '10.20.30.40'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8:1:2::6', '2001:db8:1:2'],
  ['2001:db8::6', '2001:db8:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['1::2:3:4:5:6', '1:0:0:2'],
  ['x203.0.113.70', 'x203.0.113.70:0:0:0'],
  ['203.0.113.70x', '203.0.113.70x:0:0:0'],
  ['1:2:3:4:5:6:7:8:9', '1:2:3:4'],
  ['', '0:0:0:0'],
  ['x'.repeat(100), 'x'.repeat(64)],
])('%s and %s count as the same visitor', (address, network) => expect(networkOf(address)).toBe(network))

test.each([
  ['203.0.113.70', []],
  ['::ffff:203.0.113.70', []],
  ['2001:db8:1:234:5::6', ['2001:db8:1:2/56', '2001:db8:1/48']],
  ['2001:db8:1:2ff::', ['2001:db8:1:2/56', '2001:db8:1/48']],
  ['2001:db8:1:2::', ['2001:db8:1:0/56', '2001:db8:1/48']],
  ['2001:db8:1:fe01::', ['2001:db8:1:fe/56', '2001:db8:1/48']],
  ['::1', ['0:0:0:0/56', '0:0:0/48']],
])('%s lies in the wider networks %s', (address, networks) =>
  expect(widerNetworks(networkOf(address)).map(({ network }) => network)).toEqual(networks),
)
