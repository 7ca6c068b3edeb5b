import {
  type Address,
  concat,
  createTestClient,
  encodeAbiParameters,
  type Hex,
  http,
  numberToHex,
  size,
  toFunctionSelector,
} from 'viem'
import { setCode } from 'viem/actions'
import { mainnet } from 'viem/chains'

const ZERO: Address = '0x0000000000000000000000000000000000000000'

const RESOLVE = toFunctionSelector('resolveWithGateways(bytes,bytes,string[])')

/** Replaces mainnet’s universal resolver by a contract that answers this name for any address, and this text for any record of a name. */
export async function answerEns(rpcUrl: string, name: string, record = ''): Promise<void> {
  const reverse = encodeAbiParameters([{ type: 'string' }, { type: 'address' }, { type: 'address' }], [name, ZERO, ZERO])
  const text = encodeAbiParameters([{ type: 'string' }], [record])
  const resolved = encodeAbiParameters([{ type: 'bytes' }, { type: 'address' }], [text, ZERO])
  // Tests whether the selector is RESOLVE: PUSH1 0, CALLDATALOAD, PUSH1 224, SHR, PUSH4 selector, EQ, PUSH2 31, JUMPI.
  const choose = concat(['0x60003560e01c63', RESOLVE, '0x1461001f57'])
  const data = 47
  await setResolver(
    rpcUrl,
    concat([choose, returning(reverse, data), '0x5b', returning(resolved, data + size(reverse)), reverse, resolved]),
  )
}

/** PUSH2 length, PUSH2 offset, PUSH1 0, CODECOPY; PUSH2 length, PUSH1 0, RETURN. */
function returning(answer: Hex, offset: number): Hex {
  const length = numberToHex(size(answer), { size: 2 })
  return concat(['0x61', length, '0x61', numberToHex(offset, { size: 2 }), '0x600039', '0x61', length, '0x6000f3'])
}

export async function setResolver(rpcUrl: string, bytecode: Hex): Promise<void> {
  const client = createTestClient({ mode: 'anvil', transport: http(rpcUrl) })
  await setCode(client, { address: mainnet.contracts.ensUniversalResolver.address, bytecode })
}
