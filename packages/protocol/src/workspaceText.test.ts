import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatSessionProof,
  formatVisitTicket,
  formatWorkspaceText,
  MACHINES,
  MAX_WORKSPACE_SECONDS,
  MAX_WORKSPACE_TEXT_LENGTH,
  parseWorkspaceText,
  type WorkspaceGrant,
} from './workspaceText.ts'

const grant: WorkspaceGrant = {
  site: 'https://market.example',
  wallet: '0x00000000000000000000000000000000000000aA',
  chainId: 2985,
  orderId: 12n,
  provider: '0x00000000000000000000000000000000000000bb',
  gateway: 'http://203.0.113.1:7070',
  key: `B${'x'.repeat(86)}`,
  nonce: '0123456789abcdef',
  issuedAt: 1_795_340_461,
  expiresAt: 1_795_945_261,
}
const text = `market.example wants you to sign in with your Ethereum account:
0x00000000000000000000000000000000000000aA

This browser may open the application of order 12 at http://203.0.113.1:7070, and use its logs, terminal, files and usage, until the time below. It costs nothing and moves no money.

URI: https://market.example
Version: 1
Chain ID: 2985
Nonce: 0123456789abcdef
Issued At: 2026-11-22T09:41:01Z
Expiration Time: 2026-11-29T09:41:01Z
Resources:
- urn:rackfair:order:12
- urn:rackfair:provider:0x00000000000000000000000000000000000000bb
- urn:rackfair:key:B${'x'.repeat(86)}
- urn:rackfair:may:visit
- urn:rackfair:may:workspace
- http://203.0.113.1:7070`

test('has exactly this format, and parses back', () => {
  expect(formatWorkspaceText(grant)).toBe(text)
  expect(parseWorkspaceText(text)).toEqual(grant)
})

test('names no order for the machines of a provider, and grants no rights of a renter', () => {
  const machines = formatWorkspaceText({ ...grant, orderId: MACHINES })
  expect(machines).toContain(
    'This browser may read how the machines behind http://203.0.113.1:7070 are used and how hot they are, until the time below.',
  )
  expect(machines).toContain(`Resources:
- urn:rackfair:provider:0x00000000000000000000000000000000000000bb
- urn:rackfair:key:B${'x'.repeat(86)}
- urn:rackfair:may:machines
- http://203.0.113.1:7070`)
  expect(parseWorkspaceText(machines)).toEqual({ ...grant, orderId: MACHINES })
  expect(parseWorkspaceText(machines.replace('may:machines', 'may:workspace'))).toBeUndefined()
  expect(parseWorkspaceText(text.replace('- urn:rackfair:order:12\n', ''))).toBeUndefined()
  expect(parseWorkspaceText(text.replaceAll('order:12', 'order:0').replace('order 12', 'order 0'))).toBeUndefined()
})

test('accepts a site without TLS, and names it by its host alone', () => {
  const plain = { ...grant, site: 'http://localhost:2985' }
  expect(formatWorkspaceText(plain)).toMatch(/^localhost:2985 wants/)
  expect(parseWorkspaceText(formatWorkspaceText(plain))).toEqual(plain)
})

test.each([
  ['a trailing newline', `${text}\n`],
  ['carriage returns', text.replaceAll('\n', '\r\n')],
  ['another domain than its URI', text.replace(/^market/, 'bazaar')],
  ['another order in its statement', text.replace('order 12', 'order 13')],
  ['another gateway in its statement', text.replace('at http://203.0.113.1:7070', 'at http://203.0.113.2:7070')],
  ['a gateway with a name and password', text.replaceAll('203.0.113.1:7070', 'a:b@203.0.113.1:7070')],
  ['a line more', `${text}\n- urn:rackfair:may:everything`],
  ['a line less', text.replace('- urn:rackfair:may:visit\n', '')],
  ['a day that does not exist', text.replace('2026-11-29', '2026-02-30')],
  ['a moment of issue that does not exist', text.replace('2026-11-22', '2026-02-30')],
  ['a month of issue that does not exist', text.replace('2026-11-22', '2026-13-22')],
  ['a month of its end that does not exist', text.replace('2026-11-29', '2026-13-29')],
  ['a time without a zone', text.replace('09:41:01Z\nExp', '09:41:01\nExp')],
  ['an order number that is too long', text.replaceAll('order:12', `order:${'9'.repeat(21)}`)],
  ['a huge text', `${text}${' '.repeat(2000)}`],
  ['nothing', ''],
])('refuses %s', (_, wrong) => expect(parseWorkspaceText(wrong)).toBeUndefined())

test('accepts the longest possible text', () => {
  const long: WorkspaceGrant = {
    ...grant,
    ...{ site: `https://${'s'.repeat(260)}`, gateway: `https://${'g'.repeat(260)}` },
    ...{ chainId: 4_294_967_295, orderId: 10n ** 20n - 1n, nonce: 'a'.repeat(64) },
  }
  const written = formatWorkspaceText(long)
  expect(written.length).toBeLessThanOrEqual(MAX_WORKSPACE_TEXT_LENGTH)
  expect(parseWorkspaceText(written)).toEqual(long)
  expect(parseWorkspaceText(formatWorkspaceText({ ...long, nonce: 'a'.repeat(65) }))).toBeUndefined()
})

test('is valid for a week at most', () => expect(MAX_WORKSPACE_SECONDS).toBe(604_800))

test('never reads a grant with one changed character as another grant', () => {
  fc.assert(
    fc.property(fc.nat(text.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, character) => {
      const changed = text.slice(0, at) + character + text.slice(at + 1)
      const read = parseWorkspaceText(changed)
      if (read) expect(formatWorkspaceText(read)).toBe(changed)
    }),
  )
})

test('a ticket names order, gateway, nonce and time', () => {
  const ticket = { orderId: 12n, gateway: grant.gateway, nonce: 'ab'.repeat(16), time: 1_795_340_470 }
  expect(formatVisitTicket(ticket)).toBe(
    `rackfair ticket\norder: 12\ngateway: http://203.0.113.1:7070\nnonce: ${'ab'.repeat(16)}\ntime: 1795340470`,
  )
})

test('a session signature names the order, the provider and the session', () => {
  const facts = { orderId: 12n, provider: '0xAB', nonce: '00'.repeat(16), time: 1_795_340_461, binding: 'ff'.repeat(32) }
  expect(formatSessionProof(facts)).toBe(
    `rackfair session\norder: 12\nprovider: 0xab\nnonce: ${'00'.repeat(16)}\ntime: 1795340461\nbinding: ${'ff'.repeat(32)}`,
  )
})
