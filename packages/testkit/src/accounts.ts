import { developmentAccount as account } from '@rackfair/contracts/developmentAccounts'

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
