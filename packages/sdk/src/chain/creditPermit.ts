import { expandSignature, readSignature } from '@rackfair/protocol/signature'
import { type Address, type Hex, isAddressEqual, parseSignature, recoverTypedDataAddress } from 'viem'
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

/** Half of the order of secp256k1: a larger `s` is the same signature again, which the contract refuses. */
const MAX_S = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/**
 * A wallet's answer to a permit as the contract takes it: 65 bytes by the owner's own key. `undefined` for what only a contract account
 * could accept, or nobody: the contract would refuse it.
 */
export async function permitSignature(
  message: Awaited<ReturnType<typeof creditPermitMessage>>,
  answer: unknown,
): Promise<Hex | undefined> {
  const read = readSignature(answer)
  const signature = read && expandSignature(read)
  if (signature?.length !== 132 || BigInt(`0x${signature.slice(66, 130)}`) > MAX_S) return undefined
  const signer = await recoverTypedDataAddress({ ...message, signature }).catch(() => undefined)
  return signer && isAddressEqual(signer, message.message.owner) ? signature : undefined
}

/** The argument of `createOrderWithPermit` and `extendWithPermit`. */
export function permitArgument(valueWei: bigint, deadline: bigint, signature: Hex) {
  const { r, s, v, yParity } = parseSignature(signature)
  return { value: valueWei, deadline, v: Number(v ?? BigInt(yParity + 27)), r, s }
}
