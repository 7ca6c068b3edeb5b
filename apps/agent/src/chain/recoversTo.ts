import { type Address, type Hex, isAddressEqual, recoverMessageAddress } from 'viem'

const KEY_SIGNATURE_CHARACTERS = 2 + 65 * 2

/** Whether the key of `wallet` itself signed `text`. Needs no chain; false for signatures that only a smart account can verify. */
export async function recoversTo(wallet: Address, text: string, signature: Hex): Promise<boolean> {
  if (signature.length !== KEY_SIGNATURE_CHARACTERS) return false
  const signer = await recoverMessageAddress({ message: text, signature }).catch(() => undefined)
  return signer !== undefined && isAddressEqual(signer, wallet)
}
