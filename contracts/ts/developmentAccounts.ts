import { pbkdf2Sync } from 'node:crypto'
import type { Address } from 'viem'
import { type HDAccount, HDKey, hdKeyToAccount } from 'viem/accounts'

/** The private keys of these accounts are public knowledge: they are usable on chain 2985 and nowhere else. */
const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk'

export const DEVELOPMENT_CHAIN_ID = 2985

let parent: HDKey | undefined

/**
 * One of the accounts of anvil's mnemonic. What they have in common is derived once, and the seed stretched by Node: in JavaScript, for
 * each account, that takes longer than to deploy the contracts.
 * @example developmentAccount(0).address // '0xf39F…2266', which deploys the local market
 */
export function developmentAccount(addressIndex: number): HDAccount {
  parent ??= HDKey.fromMasterSeed(pbkdf2Sync(DEVELOPMENT_MNEMONIC, 'mnemonic', 2048, 64, 'sha512')).derive("m/44'/60'/0'/0")
  // Relative to the parent; the type knows only paths from the root.
  return hdKeyToAccount(parent, { path: `m/${addressIndex}` as `m/44'/60'/${string}` })
}

/** Whether the private key of `address` is public knowledge: one of the first 20 accounts of anvil's mnemonic. */
export function isDevelopmentAccount(address: Address): boolean {
  known ??= new Set(Array.from({ length: 20 }, (_, index) => developmentAccount(index).address.toLowerCase()))
  return known.has(address.toLowerCase())
}

/** Derived on first use, because that is slow. */
let known: Set<string> | undefined
