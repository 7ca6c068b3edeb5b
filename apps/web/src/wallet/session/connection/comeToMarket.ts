import { toWalletError } from '@rackfair/sdk/walletError'
import { type Chain, numberToHex } from 'viem'
import type { WalletProvider } from './guardProvider.ts'
import { readChainId } from './walletAnswers.ts'

const POLL_MS = 200

export interface MarketTimes {
  /** How long the wallet may take to have changed its network after it said so, in milliseconds. */
  settleMs: number
  /** How long its person may take in all; an answer that comes later still changes the network. */
  askMs: number
}
export const MARKET_TIMES: MarketTimes = { settleMs: 1500, askMs: 30_000 }

/**
 * Asks a wallet to change to the market's network, and to learn it where it does not change: wallets say in many ways that they do not know
 * one. Never throws for the wallet's sake.
 *
 * @returns the number of the network that it is on afterwards.
 */
export async function comeToMarket(provider: WalletProvider, chain: Chain, times = MARKET_TIMES): Promise<number> {
  const where = async () => readChainId(await provider.request({ method: 'eth_chainId' }))
  let over = false
  const arrives = async () => {
    for (const until = Date.now() + times.settleMs; !over; await pause(POLL_MS)) {
      if ((await where().catch(() => undefined)) === chain.id) return true
      if (Date.now() >= until) return false
    }
    return false
  }
  const id = numberToHex(chain.id)
  const change = () => provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId: id }] })
  const work = async () => {
    const refused = (error: unknown) => toWalletError(error).code === 'user_rejected'
    const asked = await change().then(
      () => 'changed' as const,
      (error: unknown) => (refused(error) ? 'refused' : 'failed'),
    )
    if (asked === 'refused' || (asked === 'changed' && (await arrives())) || over) return
    const added = await provider.request({ method: 'wallet_addEthereumChain', params: [networkOf(chain)] }).then(
      () => true,
      () => false,
    )
    if (!added || over || (await where().catch(() => undefined)) === chain.id) return
    await change().catch(() => undefined)
    await arrives()
  }
  await Promise.race([work(), pause(times.askMs)])
  over = true
  return (await where().catch(() => undefined)) ?? 0
}

function networkOf({ id, name, nativeCurrency, rpcUrls, blockExplorers }: Chain) {
  const explorer = blockExplorers?.default.url
  return {
    ...{ chainId: numberToHex(id), chainName: name, nativeCurrency, rpcUrls: rpcUrls.default.http },
    ...(explorer === undefined ? {} : { blockExplorerUrls: [explorer] }),
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
