import { expect, test } from 'vitest'
import {
  formatAgentChallenge,
  formatAnnouncedKeys,
  formatGatewayProof,
  formatGatewaySignIn,
  formatSshHostKey,
  MAX_ANNOUNCED_SECONDS,
  MAX_ANNOUNCEMENT_LENGTH,
  parseAnnouncedKeys,
  parseSshHostKey,
  sessionContext,
} from './agentTexts.ts'

const provider = '0x00000000000000000000000000000000000000Bb'

test('names the platform in the challenge that an agent signs', () => {
  expect(formatAgentChallenge({ chainId: 2985, provider, platform: 'https://market.example', challenge: 'ab'.repeat(32) })).toBe(
    `rackfair agent\nchain: 2985\nprovider: ${provider.toLowerCase()}\nplatform: https://market.example\nchallenge: ${'ab'.repeat(32)}`,
  )
})

test('formats the announced encryption keys in one way only, and parses them back', () => {
  const keys = {
    chainId: 2985,
    provider: provider.toLowerCase(),
    x25519: 'x'.repeat(43),
    p256: 'y'.repeat(87),
    expiresAt: 1_795_945_261,
  }
  const text = formatAnnouncedKeys(keys)
  expect(text).toBe(
    `rackfair encryption keys\nchain: 2985\nprovider: ${keys.provider}\nx25519: ${keys.x25519}\np256: ${keys.p256}\nuntil: 1795945261`,
  )
  expect(parseAnnouncedKeys(text)).toEqual(keys)
  for (const wrong of [
    '',
    `${text}\n`,
    text.replace('x25519', 'X25519'),
    text.replace('2985', '02985'),
    `${text}${' '.repeat(500)}`,
    ` ${text}`,
    text.replace('2985', '12345678901'),
    text.replace('2985', '2x'),
    text.replace('0000bb', '0000BB'),
    text.replace('0000bb', '0000b'),
    text.replace('0000bb', '0000bbb'),
    text.replace('xx', 'x='),
    text.replace('xx', 'x'),
    text.replace('xx', 'xxx'),
    text.replace('yy', 'y+'),
    text.replace('yy', 'y'),
    text.replace('yy', 'yyy'),
    text.replace('1795945261', '0795945261'),
    text.replace('1795945261', '1795945261000'),
    text.replace('1795945261', '17959452x1'),
  ])
    expect([wrong, parseAnnouncedKeys(wrong)]).toEqual([wrong, undefined])
  const other = { ...keys, chainId: 1, x25519: 'A-_9z'.padEnd(43, '0'), p256: 'Z-_0a'.padEnd(87, '1'), expiresAt: 7 }
  expect(parseAnnouncedKeys(formatAnnouncedKeys(other))).toEqual(other)
  expect(formatAnnouncedKeys({ ...keys, chainId: 4_294_967_295, expiresAt: 999_999_999_999 }).length).toBeLessThan(
    MAX_ANNOUNCEMENT_LENGTH,
  )
  expect(MAX_ANNOUNCED_SECONDS).toBe(604_800)
})

test('formats the SSH host key in one way only, and parses it back', () => {
  const host = { chainId: 2985, provider: provider.toLowerCase(), key: `ssh-ed25519 ${'A'.repeat(68)}` }
  const text = formatSshHostKey(host)
  expect(text).toBe(`rackfair ssh host key\nchain: 2985\nprovider: ${host.provider}\nkey: ${host.key}`)
  expect(parseSshHostKey(text)).toEqual(host)
  for (const wrong of [
    '',
    `${text}\n`,
    text.replace('2985', '02985'),
    text.replace('AAA', 'AA\n'),
    text.replace('ed25519 ', 'ed25519 * '),
    text.replace('ssh-ed25519', 'ssh-rsa'),
    ` ${text}`,
    text.replace('2985', '12345678901'),
    text.replace('2985', '2x'),
    text.replace('0000bb', '0000BB'),
    text.replace('0000bb', '0000b'),
    text.replace('0000bb', '0000bbb'),
    text.replace('AAA', 'AA='),
    text.replace('AAA', 'AA'),
    text.replace('AAA', 'AAAA'),
  ])
    expect([wrong, parseSshHostKey(wrong)]).toEqual([wrong, undefined])
  const other = { ...host, chainId: 1, key: `ssh-ed25519 ${'z9+/'.repeat(17)}` }
  expect(parseSshHostKey(formatSshHostKey(other))).toEqual(other)
})

test('binds gateway proof, sign-in and session to their recipient', () => {
  expect(formatGatewayProof({ chainId: 2985, provider, challenge: 'ab' })).toBe(
    `rackfair gateway\nchain: 2985\nprovider: ${provider.toLowerCase()}\nchallenge: ab`,
  )
  expect(formatGatewayProof({ chainId: 2985, provider, challenge: 'ab', certificate: 'cd' })).toBe(
    `rackfair gateway\nchain: 2985\nprovider: ${provider.toLowerCase()}\nchallenge: ab\ncertificate: cd`,
  )
  expect(formatGatewaySignIn({ orderId: 7n, origin: 'http://203.0.113.7:7070', nonce: 'cd', time: 9 })).toBe(
    'rackfair visit\norder: 7\norigin: http://203.0.113.7:7070\nnonce: cd\ntime: 9',
  )
  expect(sessionContext({ chainId: 2985, provider })).toBe(`rackfair\nchain: 2985\nprovider: ${provider.toLowerCase()}`)
})
