import { expect, test } from 'vitest'
import { knowsLocalNames, leadsToProvider, pageLink, reachOf, visitLink } from './visitUrl.ts'

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

test('shows the name of an order on this very machine, and that of no other', () => {
  const here = { ...order, ip: '127.0.0.1' }
  const told = (localName: string) => ({ visitUrl: 'http://127.0.0.1:7070/?OrderId=12', details: { localName } })
  expect(pageLink(here, told('o-12-3fa9c1.localhost'))).toBe('http://o-12-3fa9c1.localhost:7070/')
  for (const name of ['o-13-3fa9c1.localhost', 'o-12-3fa9c1.localhost.evil.example', 'localhost', 'x@o-12-3fa9c1.localhost', ''])
    expect(pageLink(here, told(name))).toBe('http://127.0.0.1:7070/?OrderId=12')
  expect(pageLink(order, told('o-12-3fa9c1.localhost'))).toBe(registered)
  expect(pageLink(here, { visitUrl: 'http://127.0.0.1:7070/' })).toBe('http://127.0.0.1:7070/')
  expect(pageLink(here, null)).toBe('http://127.0.0.1:7070/?OrderId=12&UserAddress=0xab')
})

test.each([
  [true, 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/156.0.0.0 Safari/537.36'],
  [true, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  [
    false,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  ],
  [false, 'curl/8.5.0'],
  [false, undefined],
])('says %s where asked whether it finds local names: %s', (knows, agent) => expect(knowsLocalNames(agent)).toBe(knows))

test.each([
  ['http://127.0.0.1:7070/?OrderId=12', { kind: 'here' }],
  ['http://o-12-3fa9c1.localhost:7070/', { kind: 'here' }],
  ['http://203.0.113.7:7070/?OrderId=12', { kind: 'plain' }],
  ['http://o-12.node.example/', { kind: 'plain' }],
  ['http://127.0.0.1.evil.example/', { kind: 'plain' }],
  ['https://o-12.node.example/', { kind: 'secure', host: 'node.example' }],
  ['https://203.0.113.7:7070/', { kind: 'secure', host: '203.0.113.7' }],
])('says who could read what is sent to %s, or pretend to be it', (link, reach) => expect(reachOf(link, order)).toEqual(reach))
