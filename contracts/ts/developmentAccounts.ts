import type { Address } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** The private keys of these accounts are public knowledge: they are usable on chain 2985 and nowhere else. */
export const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk'

export const DEVELOPMENT_CHAIN_ID = 2985

/** Whether the private key of `address` is public knowledge: one of the first 20 accounts of anvil's mnemonic. */
export function isDevelopmentAccount(address: Address): boolean {
  known ??= new Set(
    Array.from({ length: 20 }, (_, addressIndex) =>
      mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex }).address.toLowerCase(),
    ),
  )
  return known.has(address.toLowerCase())
}

/** Derived on first use, because that is slow. */
let known: Set<string> | undefined
