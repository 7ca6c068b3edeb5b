import { type HDAccount, mnemonicToAccount } from 'viem/accounts'

/** The public development mnemonic of anvil: worth nothing anywhere else. */
export const DEVELOPMENT_MNEMONIC = 'test test test test test test test test test test test junk'

const account = (index: number): HDAccount => mnemonicToAccount(DEVELOPMENT_MNEMONIC, { addressIndex: index })

export type DevelopmentAccounts = ReturnType<typeof derive>

/** Derived on first use, because that is slow. */
let known: DevelopmentAccounts | undefined

/** The funded accounts of a development chain by role. The owner deploys, the faucet holds the minted Credit. */
export function developmentAccounts(): DevelopmentAccounts {
  known ??= derive()
  return known
}

function derive() {
  return {
    owner: account(0),
    guardian: account(1),
    rewarder: account(2),
    treasury: account(3),
    faucet: account(4),
    provider: account(5),
    operator: account(6),
    user: account(7),
    otherUser: account(8),
    otherProvider: account(9),
  }
}
