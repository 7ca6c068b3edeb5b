import { type Address, type Hex, parseSignature } from 'viem'
import type { ChainReader } from './ChainReader.ts'
import { readMarket } from './contractCall.ts'
import type { MarketAddresses } from './readAddresses.ts'

/** The EIP-712 message with which the owner of an EOA lets `spender` take exactly `valueWei` of Credit until `deadline`. */
export async function creditPermitMessage(
  client: ChainReader,
  addresses: MarketAddresses,
  permit: { owner: Address; spender: Address; valueWei: bigint; deadline: bigint; chainId: number },
) {
  const [name, nonce] = await Promise.all([
    readMarket(client, addresses, 'credit', 'name', []),
    readMarket(client, addresses, 'credit', 'nonces', [permit.owner]),
  ])
  return {
    domain: { name, version: '1', chainId: permit.chainId, verifyingContract: addresses.credit },
    types: {
      Permit: [
        { name: 'owner', type: 'address' },
        { name: 'spender', type: 'address' },
        { name: 'value', type: 'uint256' },
        { name: 'nonce', type: 'uint256' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'Permit',
    message: { owner: permit.owner, spender: permit.spender, value: permit.valueWei, nonce, deadline: permit.deadline },
  } as const
}

/** The argument of `createOrderWithPermit` and `extendWithPermit`. */
export function permitArgument(valueWei: bigint, deadline: bigint, signature: Hex) {
  const { r, s, v, yParity } = parseSignature(signature)
  return { value: valueWei, deadline, v: Number(v ?? BigInt(yParity + 27)), r, s }
}
