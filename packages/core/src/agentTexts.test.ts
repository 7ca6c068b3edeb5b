import { expect, test } from 'vitest'
import { formatAgentChallenge } from './agentTexts.ts'

const provider = '0x00000000000000000000000000000000000000Bb'

test('an agent signs for which platform it proves itself', () => {
  expect(formatAgentChallenge({ chainId: 2985, provider, platform: 'https://market.example', challenge: 'ab'.repeat(32) })).toBe(
    `rackfair agent\nchain: 2985\nprovider: ${provider.toLowerCase()}\nplatform: https://market.example\nchallenge: ${'ab'.repeat(32)}`,
  )
})
