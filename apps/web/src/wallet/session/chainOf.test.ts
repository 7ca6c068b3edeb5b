import { existsSync } from 'node:fs'
import type { ConfigAnswer } from '@rackfair/protocol/config'
import { expect, test } from 'vitest'
import { chainOf } from './chainOf.ts'

const CONFIG = { chainName: 'Any', rpcUrl: 'http://localhost:1', explorerUrl: null } as ConfigAnswer

test.each([985, 1985, 2985])('has an id, a name, a bundled icon and a background for chain %s', (chainId) => {
  const chain = chainOf({ ...CONFIG, chainId })
  expect(chain).toMatchObject({
    id: chainId,
    name: 'Rackfair Any',
    iconBackground: expect.stringMatching(/^var\(--chain-(main|test|development)\)$/),
  })
  expect(existsSync(`${import.meta.dirname}/../../../public${chain.iconUrl}`)).toBe(true)
  expect(chain.blockExplorers).toBeUndefined()
})

test('links to the configured explorer', () => {
  const chain = chainOf({ ...CONFIG, chainId: 2985, explorerUrl: 'https://explorer.example' })
  expect(chain.blockExplorers?.default.url).toBe('https://explorer.example')
})
