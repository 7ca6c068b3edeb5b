import { expect, it } from 'vitest'
import { formatSignInText, parseSignInText } from './signInText.ts'

const facts = {
  address: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
  chainId: 2985,
  nonce: 'abcdefgh12345678',
  issuedAt: 1_796_090_400,
}
const textOn = (site: string) => formatSignInText({ ...facts, domain: new URL(site).host, uri: new URL(site).origin })

it.each([
  'http://gpubox:13000',
  'http://gpubox',
  'http://market.xn--fiqs8s:13000',
  'https://xn--fiq228c.xn--fiqs8s',
  'http://[::1]:13000',
  'https://[2001:db8::1]',
  'http://127.0.0.1:13000',
  'https://gpu.example',
  'https://a-b_c.example.',
  'http://localhost',
])('writes and reads the text of a site at %s', (site) => {
  const { host, origin } = new URL(site)
  expect(parseSignInText(textOn(site))).toMatchObject({ ...facts, domain: host, uri: origin, scheme: undefined })
})

it.each(['', 'short', 'no nonce at all', 'abcdefgh\nURI: https://other.example', 'abcdefgh12345678\n', 'a'.repeat(97)])(
  'writes no text with the nonce %j',
  (nonce) => {
    expect(() => formatSignInText({ ...facts, nonce, domain: 'gpu.example', uri: 'https://gpu.example' })).toThrow(RangeError)
  },
)

it('writes the text of ERC-4361', () => {
  expect(textOn('https://gpu.example:8443')).toBe(
    'gpu.example:8443 wants you to sign in with your Ethereum account:\n0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266\n\n' +
      'Sign in to Rackfair. This costs nothing and moves no money.\n\nURI: https://gpu.example:8443\nVersion: 1\nChain ID: 2985\n' +
      'Nonce: abcdefgh12345678\nIssued At: 2026-12-01T02:00:00.000Z',
  )
})

const text = textOn('https://gpu.example')
it.each([
  ['a scheme', `https://${text}`, { scheme: 'https' }],
  ['no statement', text.replace(/Sign in to .*\n/, ''), {}],
  ['seconds without fraction', text.replace('.000Z', 'Z'), {}],
  ['a time zone', text.replace('02:00:00.000Z', '03:00:00+01:00'), {}],
  [
    'every other field',
    `${text}\nExpiration Time: 2026-12-01T02:10:00Z\nNot Before: 2026-12-01T01:00:00Z\nRequest ID: 7 x\nResources:\n- ipfs://a\n- https://b`,
    { expiresAt: 1_796_091_000, notBefore: 1_796_086_800 },
  ],
  ['an empty list', `${text}\nResources:`, {}],
])('reads a text of another program with %s', (_, other, more) =>
  expect(parseSignInText(other)).toMatchObject({ ...facts, domain: 'gpu.example', ...more }),
)

it.each([
  ['a line more', `${text}\n`],
  ['a line before', `\n${text}`],
  ['other line ends', text.replaceAll('\n', '\r\n')],
  ['another version', text.replace('Version: 1', 'Version: 2')],
  ['a short nonce', text.replace('abcdefgh12345678', 'abc')],
  ['no date', text.replace(/\nIssued At.*/, '')],
  ['a date that there is not', text.replace('2026-12-01', '2026-13-01')],
  ['fields in another order', text.replace('Version: 1\nChain ID: 2985', 'Chain ID: 2985\nVersion: 1')],
  ['two sites', text.replace('gpu.example wants', 'gpu.example evil.example wants')],
  ['a path in the domain', text.replace('gpu.example wants', 'gpu.example/x wants')],
  ['two statements', text.replace('money.\n', 'money.\nURI: https://evil.example\n')],
  ['nothing', ''],
])('refuses %s', (_, wrong) => expect(parseSignInText(wrong)).toBeUndefined())
