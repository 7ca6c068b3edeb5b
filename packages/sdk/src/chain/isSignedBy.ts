import { expandSignature, readSignature } from '@rackfair/protocol/signature'
import { type Address, type Hex, hashMessage, isAddressEqual, parseAbi, recoverMessageAddress } from 'viem'
import { readContract, verifyMessage } from 'viem/actions'
import type { ChainReader } from './ChainReader.ts'

const ERC1271 = parseAbi(['function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'])
const VALID = '0x1626ba7e'
/** The contract of ERC-6492 through which viem asks reads the last 32 bytes of a signature, and fails where there are fewer. */
const SHORT = 2 + 2 * 32

/**
 * Whether an ordinary account signed a text: 65 bytes, or the 64 of ERC-2098. Needs no chain; a contract account's signature is none of
 * these.
 */
export async function recoversTo(address: Address, message: string, signature: string): Promise<boolean> {
  const read = readSignature(signature)
  const full = read && expandSignature(read)
  if (full?.length !== 132) return false
  const signer = await recoverMessageAddress({ message, signature: full }).catch(() => undefined)
  return signer !== undefined && isAddressEqual(signer, address)
}

/**
 * Whether `address` signed a text: an ordinary account by recovery, a contract account by asking it (ERC-1271, ERC-6492). The form of a
 * signature, 0 to 4,096 bytes, is the account's own matter.
 *
 * An unreachable chain reads as false: who needs to know asks the chain for something else afterwards.
 */
export async function isSignedBy(client: ChainReader, address: Address, message: string, signature: string): Promise<boolean> {
  const read = readSignature(signature)
  if (read === undefined) return false
  if (await recoversTo(address, message, read)) return true
  return (read.length < SHORT ? acceptsShort : verifies)(client, address, message, read).catch(() => false)
}

const verifies = (client: ChainReader, address: Address, message: string, signature: Hex) =>
  verifyMessage(client, { address, message, signature })

async function acceptsShort(client: ChainReader, address: Address, message: string, signature: Hex): Promise<boolean> {
  const args = [hashMessage(message), signature] as const
  return (await readContract(client, { address, abi: ERC1271, functionName: 'isValidSignature', args })) === VALID
}
