import { type Address, type Hex, type PublicClient, recoverMessageAddress } from 'viem'

/** Whether `address` signed `message`: an externally owned account by recovery, a smart account (ERC-1271, ERC-6492) by asking the chain. */
export async function verifySignature(
  client: PublicClient,
  address: string,
  message: string,
  signature: string,
): Promise<boolean> {
  if (signature.length === 132) {
    try {
      const recovered = await recoverMessageAddress({ message, signature: signature as Hex })
      if (recovered.toLowerCase() === address.toLowerCase()) return true
    } catch {
      // Not a signature of an externally owned account; it may still be one of a contract.
    }
  }
  try {
    return await client.verifyMessage({ address: address as Address, message, signature: signature as Hex })
  } catch {
    return false
  }
}
