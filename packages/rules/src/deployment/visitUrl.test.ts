import { expect, test } from 'vitest'
import { leadsToProvider, reachOf, visitLink } from './visitUrl.ts'

const order = { id: '12', user: '0xab', ip: '203.0.113.7', port: 7070, domain: 'Node.example' }
const registered = 'http://203.0.113.7:7070/?OrderId=12&UserAddress=0xab'

test.each([
  'http://203.0.113.7:7070/?OrderId=12',
  'https://203.0.113.7',
  'https://node.example:7070/?OrderId=12&UserAddress=0xab',
  'HTTPS://NODE.EXAMPLE/',
  'https://o-12.node.example/path#x',
  `https://203.0.113.7/${'x'.repeat(480)}`,
])('accepts a link to the provider: %s', (link) => expect(visitLink(order, link)).toBe(link))

test.each([
  'https://evil.example/',
  'https://203.0.113.7@evil.example/',
  'https://user:pass@203.0.113.7/',
  'https://203.0.113.7.evil.example/',
  'https://evil.example\\@203.0.113.7/',
  'https://203.0.113.7\\.evil.example/',
  'https://o-13.node.example/',
  'https://x.node.example/',
  'https://evilnode.example/',
  'https://203.0.113.70/',
  'https://203.0.113.7:7070:80/',
  'https:203.0.113.7/',
  'https:///203.0.113.7/',
  ' https://203.0.113.7/',
  'https://203.0.113.7/ x',
  'ftp://203.0.113.7/',
  'javascript:alert(1)//203.0.113.7/',
  'https://[203.0.113.7]/',
  `https://203.0.113.7/${'x'.repeat(500)}`,
  '',
])('refuses a link elsewhere: %s', (link) => {
  expect(visitLink(order, link)).toBe(registered)
})

test('recognises an IPv6 address in brackets, and refuses an empty host', () => {
  const provider = { ip: '2001:db8::7', domain: '' }
  expect(leadsToProvider('http://[2001:DB8::7]:7070/?OrderId=1', provider, 1n)).toBe(true)
  for (const link of ['http://[2001:db8::8]/', 'http://2001:db8::7/', 'http://o-1./', 'http:///', 'http://:7070/'])
    expect(leadsToProvider(link, provider, 1n)).toBe(false)
})

test.each([
  ['http://127.0.0.1:7070/?OrderId=12', { kind: 'here' }],
  ['http://203.0.113.7:7070/?OrderId=12', { kind: 'plain' }],
  ['http://o-12.node.example/', { kind: 'plain' }],
  ['http://127.0.0.1.evil.example/', { kind: 'plain' }],
  ['https://o-12.node.example/', { kind: 'secure', host: 'node.example' }],
  ['https://203.0.113.7:7070/', { kind: 'secure', host: '203.0.113.7' }],
])('says who could read what is sent to %s, or pretend to be it', (link, reach) => expect(reachOf(link, order)).toEqual(reach))
