import { type Address, type Hex, isAddressEqual, type PublicClient, recoverMessageAddress } from 'viem'

/**
 * Whether `address` signed `message`: an externally owned account by recovery, a smart account (ERC-1271, ERC-6492) by a call to the chain.
 */
export async function verifySignature(
  client: PublicClient,
  address: string,
  message: string,
  signature: string,
): Promise<boolean> {
  if (signature.length === 132) {
    try {
      const recovered = await recoverMessageAddress({ message, signature: signature as Hex })
      if (isAddressEqual(recovered, address as Address)) return true
    } catch {
      // Not an externally owned account's signature; it may still be a contract's.
    }
  }
  try {
    return await client.verifyMessage({ address: address as Address, message, signature: signature as Hex })
  } catch {
    return false
  }
}
