import { formatSignInText } from '@rackfair/protocol/signInText'
import { expect, it } from 'vitest'
import { checkSignInMessage } from './checkSignInMessage.ts'

const now = 1_796_090_400
const facts = { address: `0x${'ab'.repeat(20)}`, chainId: 2985, nonce: 'abcdefgh12345678', issuedAt: now }
const SITES = [
  'http://gpubox:13000',
  'http://market.xn--fiqs8s:13000',
  'http://[::1]:13000',
  'https://[2001:db8::1]',
  'https://gpu.example',
]

it.each(SITES)('accepts a message for this site at %s, and for no other', (site) => {
  const { host, origin } = new URL(site)
  const expected = { chainId: 2985, origins: [origin], now }
  const { address, nonce } = facts
  expect(checkSignInMessage(formatSignInText({ ...facts, domain: host, uri: origin }), expected)).toEqual({
    address,
    nonce,
    origin,
  })
  for (const other of SITES.filter((one) => one !== site).map((one) => new URL(one))) {
    for (const wrong of [
      { domain: other.host, uri: origin },
      { domain: host, uri: other.origin },
    ])
      expect(() => checkSignInMessage(formatSignInText({ ...facts, ...wrong }), expected)).toThrow('another site')
  }
})
