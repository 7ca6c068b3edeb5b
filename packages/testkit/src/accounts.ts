import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

/** The public development mnemonic of anvil: worth nothing anywhere else. */
export const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk'

const account = (index: number): HDAccount => mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex: index })

/** The funded accounts of a development chain by their part. The owner deploys and mints. */
export function developmentAccounts() {
  return {
    owner: account(0),
    validator: account(1),
    guardian: account(2),
    treasury: account(3),
    provider: account(4),
    operator: account(5),
    user: account(6),
    otherUser: account(7),
    otherProvider: account(8),
    faucet: account(9),
  }
}
export type DevelopmentAccounts = ReturnType<typeof developmentAccounts>
