import { readAddresses } from '@rackfair/sdk'
import { type Address, createPublicClient, createWalletClient, type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

const setting = (name: string, fallback?: string): string => {
  const value = process.env[name] ?? fallback
  if (value === undefined) throw new Error(`set ${name}`)
  return value
}

const transport = http(setting('RPC_URL', 'http://127.0.0.1:8545'))

/** The account that signs. */
export const account = privateKeyToAccount(setting('PRIVATE_KEY') as Hex)
/** Reads the chain. */
export const reader = createPublicClient({ transport })
/** Signs and sends. */
export const writer = createWalletClient({ account, transport })
/** Where the contracts of the current version are; Access is the one address to know. */
export const addresses = await readAddresses(reader, setting('ACCESS') as Address)
