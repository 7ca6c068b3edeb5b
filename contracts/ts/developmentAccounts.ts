import type { Address } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'

/** Everybody knows the keys of these accounts: they are good on chain 2985 and nowhere else. */
export const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk'

export const DEVELOPMENT_CHAIN_ID = 2985

/** Whether anybody could sign for `address`: one of the first 20 accounts of anvil's mnemonic. */
export function isDevelopmentAccount(address: Address): boolean {
  known ??= new Set(
    Array.from({ length: 20 }, (_, addressIndex) =>
      mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex }).address.toLowerCase(),
    ),
  )
  return known.has(address.toLowerCase())
}

/** Derived on first use: it takes a while. */
let known: Set<string> | undefined
