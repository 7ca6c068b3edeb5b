import { purseAbi } from '@rackfair/contracts'
import { type Address, encodeAbiParameters, type Hex, stringToHex, toPrefixedMessage } from 'viem'
import { signMessage, signTypedData } from 'viem/actions'
import type { ContractCall } from '../chain/contractCall.ts'
import type { SendableCall } from '../chain/sendCall.ts'
import { toAppError } from '../errors/toAppError.ts'
import type { Payer } from '../market/connectMarket.ts'

/** The functions of the Market that its user calls, and their names in a purse. */
const IN_PURSE: Readonly<Record<string, string>> = {
  createOrder: 'buy',
  extend: 'extend',
  userCancel: 'end',
  move: 'move',
}

/** The account whose orders a renter's are: its purse, or itself. */
export const userOf = ({ purse, wallet }: Pick<Payer, 'purse' | 'wallet'>): Address => purse ?? wallet.account.address

/** A call that only the user of an order may make, as the renter's account has to send it: to the purse, if that is the user. */
export function asUser({ purse }: Pick<Payer, 'purse'>, call: ContractCall): SendableCall {
  const functionName = IN_PURSE[call.functionName]
  if (purse === undefined || functionName === undefined) return call
  return { address: purse, abi: purseAbi, functionName, args: call.args }
}

/**
 * Signs a text of the market for the user of the renter's orders.
 * @throws AppError `user_rejected`, `wallet_unable` and others of the wallet.
 */
export async function signAsUser(
  { wallet, purse, chainId }: Pick<Payer, 'wallet' | 'purse' | 'chainId'>,
  message: string,
): Promise<Hex> {
  const { account } = wallet
  try {
    if (purse === undefined) return await signMessage(wallet, { account, message })
    const signature = await signTypedData(wallet, { account, ...purseMessage({ purse, chainId, message }) })
    return purseSignature(account.address, message, signature)
  } catch (error) {
    throw toAppError(error)
  }
}

/** What a key of a purse signs for a text (ERC-7739): it counts for this purse alone. */
export function purseMessage({ purse, chainId, message }: { purse: Address; chainId: number; message: string }) {
  return {
    domain: { name: 'Rackfair Purse', version: '1', chainId, verifyingContract: purse },
    types: { PersonalSign: [{ name: 'prefixed', type: 'bytes' }] },
    primaryType: 'PersonalSign',
    message: { prefixed: toPrefixedMessage(message) },
  } as const
}

/** A key's signature as the purse takes it, with the text, which tells it of which kind it is. */
export function purseSignature(signer: Address, message: string, signature: Hex): Hex {
  const shape = [{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }] as const
  return encodeAbiParameters(shape, [signer, stringToHex(message), signature])
}
