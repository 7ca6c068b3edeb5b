// @vitest-environment node
import { type Anvil, startAnvil } from '@rackfair/testkit'
import type { Address } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { answerEns, setResolver } from '../../../e2e/answerEns.ts'
import { lookUpEns, pictureUrl } from './lookUpEns.ts'

const ADA: Address = '0xd2135CfB216b74109775236E36d4b433F1DF507B'
let chain: Anvil

beforeAll(async () => {
  chain = await startAnvil({ chainId: 1 })
})
afterAll(() => chain.stop())

it('asks the universal resolver of mainnet for an address’s name and avatar', async () => {
  await answerEns(chain.rpcUrl, 'ada.eth', 'https://pictures.example/ada.png')
  expect(await lookUpEns(chain.rpcUrl, ADA)).toEqual({ name: 'ada.eth', avatar: 'https://pictures.example/ada.png' })
  await answerEns(chain.rpcUrl, 'ada.eth')
  expect(await lookUpEns(chain.rpcUrl, ADA)).toEqual({ name: 'ada.eth', avatar: null })
})

it.each([
  ['https://pictures.example/a b.png', 'https://pictures.example/a%20b.png'],
  ['ipfs://bafybeigdyrzt/ada.png', 'https://ipfs.io/ipfs/bafybeigdyrzt/ada.png'],
  ['ipfs://ipfs/QmHash', 'https://ipfs.io/ipfs/QmHash'],
  ['data:image/png;base64,iVBORw0KGgo=', 'data:image/png;base64,iVBORw0KGgo='],
  ['data:image/svg+xml;base64,PHN2Zz4=', null],
  ['data:text/html;base64,PGI+', null],
  ['javascript:alert(1)', null],
  ['http://pictures.example/ada.png', null],
  ['https://user:secret@pictures.example/ada.png', null],
  ['eip155:1/erc721:0xb7F7F6C52F2e2fdb1963Eab30438024864c313F6/2430', null],
  [`https://pictures.example/${'a'.repeat(2000)}`, null],
  [`data:image/png;base64,${'A'.repeat(100_000)}`, null],
  ['', null],
])('accepts only an image from the record %.60s', (record, shown) => expect(pictureUrl(record)).toBe(shown))

it('returns null for an address without a name', async () => {
  await answerEns(chain.rpcUrl, '')
  expect(await lookUpEns(chain.rpcUrl, ADA)).toBeNull()
})

it('fails without a resolver, so that the address stays', async () => {
  await setResolver(chain.rpcUrl, '0x00')
  await expect(lookUpEns(chain.rpcUrl, ADA)).rejects.toThrow()
})
