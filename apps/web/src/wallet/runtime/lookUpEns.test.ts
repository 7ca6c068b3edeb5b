// @vitest-environment node
import { type Anvil, startAnvil } from '@rackfair/testkit'
import { type Address, concat, createTestClient, encodeAbiParameters, type Hex, http, numberToHex, size } from 'viem'
import { setCode } from 'viem/actions'
import { mainnet } from 'viem/chains'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { lookUpEns } from './lookUpEns.ts'

const ADA: Address = '0xd2135CfB216b74109775236E36d4b433F1DF507B'
const ZERO: Address = '0x0000000000000000000000000000000000000000'
let chain: Anvil

beforeAll(async () => {
  chain = await startAnvil({ chainId: 1 })
})
afterAll(() => chain.stop())

it('asks the universal resolver of mainnet for the name of an address', async () => {
  await answerWith('ada.eth')
  expect(await lookUpEns(chain.rpcUrl, ADA)).toBe('ada.eth')
})

it('gives nothing for an address without a name', async () => {
  await answerWith('')
  expect(await lookUpEns(chain.rpcUrl, ADA)).toBeNull()
})

it('fails when there is no resolver, so that the address stays', async () => {
  await setResolver('0x00')
  await expect(lookUpEns(chain.rpcUrl, ADA)).rejects.toThrow()
})

/** A contract in the resolver's place that gives this name for whatever it is asked. */
async function answerWith(name: string): Promise<void> {
  const answer = encodeAbiParameters([{ type: 'string' }, { type: 'address' }, { type: 'address' }], [name, ZERO, ZERO])
  const length = numberToHex(size(answer), { size: 2 })
  // PUSH2 length, PUSH1 offset of the answer, PUSH1 0, CODECOPY; PUSH2 length, PUSH1 0, RETURN.
  await setResolver(concat(['0x61', length, '0x600e600039', '0x61', length, '0x6000f3', answer]))
}

async function setResolver(bytecode: Hex): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(chain.rpcUrl) })
  await setCode(client, { address: mainnet.contracts.ensUniversalResolver.address, bytecode })
}
