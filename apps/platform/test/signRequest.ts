import { formatDeployText } from '@rackfair/protocol/deployText'
import type { LocalAccount } from 'viem'
import type { Market } from './startMarket.ts'

export interface RequestChange {
  orderId?: bigint
  deployId?: number
  wallet?: string
  provider?: string
  chainId?: number
  time?: number
  envHash?: string
  appHash?: string
  onceHash?: string
  signer?: LocalAccount
}

/** A deploy request of the market's buyer, with overrides. */
export async function signRequest(market: Market, change: RequestChange & { orderId: bigint }) {
  const { accounts } = market.chain
  const { signer = accounts.user, ...fields } = change
  const text = formatDeployText({
    deployId: 2,
    time: Math.floor(Date.now() / 1000),
    wallet: accounts.user.address,
    provider: accounts.provider.address,
    chainId: 2985,
    ...fields,
  })
  return { text, signature: await signer.signMessage({ message: text }) }
}
