import { expect, test } from 'vitest'
import { formatAgentChallenge, formatAnnouncedKeys, parseAnnouncedKeys } from './agentTexts.ts'

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
