import { expect, test } from 'vitest'
import { formatAgentChallenge, formatAnnouncedKeys, formatSshHostKey, parseAnnouncedKeys, parseSshHostKey } from './agentTexts.ts'

const provider = '0x00000000000000000000000000000000000000Bb'

test('an agent signs for which platform it proves itself', () => {
  expect(formatAgentChallenge({ chainId: 2985, provider, platform: 'https://market.example', challenge: 'ab'.repeat(32) })).toBe(
    `rackfair agent\nchain: 2985\nprovider: ${provider.toLowerCase()}\nplatform: https://market.example\nchallenge: ${'ab'.repeat(32)}`,
  )
})

test('the keys that others seal to have one form, and are read back', () => {
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
  ])
    expect(parseAnnouncedKeys(wrong)).toBeUndefined()
})

test('the key of an agent’s SSH server has one form, and is read back', () => {
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
  ])
    expect(parseSshHostKey(wrong)).toBeUndefined()
})
