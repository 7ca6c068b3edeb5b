import { type Address, concat, createTestClient, encodeAbiParameters, type Hex, http, numberToHex, size } from 'viem'
import { setCode } from 'viem/actions'
import { mainnet } from 'viem/chains'

const ZERO: Address = '0x0000000000000000000000000000000000000000'

/** Puts a contract in the place of mainnet’s universal resolver that gives this name for whatever it is asked. */
export async function answerEns(rpcUrl: string, name: string): Promise<void> {
  const answer = encodeAbiParameters([{ type: 'string' }, { type: 'address' }, { type: 'address' }], [name, ZERO, ZERO])
  const length = numberToHex(size(answer), { size: 2 })
  // PUSH2 length, PUSH1 offset of the answer, PUSH1 0, CODECOPY; PUSH2 length, PUSH1 0, RETURN.
  await setResolver(rpcUrl, concat(['0x61', length, '0x600e600039', '0x61', length, '0x6000f3', answer]))
}

export async function setResolver(rpcUrl: string, bytecode: Hex): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await setCode(client, { address: mainnet.contracts.ensUniversalResolver.address, bytecode })
}
