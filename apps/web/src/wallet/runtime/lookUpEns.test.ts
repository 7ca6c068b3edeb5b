// @vitest-environment node
import { type Anvil, startAnvil } from '@rackfair/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerEns, setResolver } from '../../../e2e/answerEns.ts'
import { lookUpEns } from './lookUpEns.ts'

const ADA: Address = '0xd2135CfB216b74109775236E36d4b433F1DF507B'
let chain: Anvil

beforeAll(async () => {
  chain = await startAnvil({ chainId: 1 })
})
afterAll(() => chain.stop())

it('asks the universal resolver of mainnet for the name of an address', async () => {
  await answerEns(chain.rpcUrl, 'ada.eth')
  expect(await lookUpEns(chain.rpcUrl, ADA)).toBe('ada.eth')
})

it('gives nothing for an address without a name', async () => {
  await answerEns(chain.rpcUrl, '')
  expect(await lookUpEns(chain.rpcUrl, ADA)).toBeNull()
})

it('fails when there is no resolver, so that the address stays', async () => {
  await setResolver(chain.rpcUrl, '0x00')
  await expect(lookUpEns(chain.rpcUrl, ADA)).rejects.toThrow()
})
