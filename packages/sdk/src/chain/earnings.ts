import { accessAbi } from '@rackfair/contracts'
import type { Address } from 'viem'
import type { ChainReader } from './ChainReader.ts'
import { type ContractCall, contractCall, readMarket } from './contractCall.ts'
import type { MarketAddresses } from './readAddresses.ts'
import { readAt } from './readAt.ts'

/** What a provider can withdraw from one Market. */
export interface MarketEarnings {
  market: Address
  /** Wei of Credit. */
  earnedWei: bigint
}

/** Every Market ever published, newest first: earlier ones keep settling, and hold what was earned in them. */
export async function readMarkets(client: ChainReader, access: Address): Promise<Address[]> {
  const at = { address: access, abi: accessAbi } as const
  const newest = await readAt(client, { ...at, functionName: 'CurrentVer', args: [] })
  const versions = Array.from({ length: newest }, (_, index) => newest - index)
  const sets = await Promise.all(versions.map((version) => readAt(client, { ...at, functionName: 'addresses', args: [version] })))
  return [...new Set(sets.map((set) => set.market))]
}

/** What a provider can withdraw from each Market; the current one first, even if it holds nothing. */
export async function readEarnings(
  client: ChainReader,
  addresses: MarketAddresses,
  provider: Address,
): Promise<MarketEarnings[]> {
  const markets = await readMarkets(client, addresses.access)
  return Promise.all(
    markets.map(async (market) => ({
      market,
      earnedWei: await readMarket(client, addresses, 'market', 'earned', [provider], market),
    })),
  )
}

/** The calls that withdraw all of it, one for each Market that holds something: to the provider, or to `to`. */
export function withdrawCalls(
  addresses: MarketAddresses,
  earnings: readonly MarketEarnings[],
  to?: Address,
): ContractCall<'market'>[] {
  return earnings
    .filter(({ earnedWei }) => earnedWei > 0n)
    .map(({ market }) =>
      to === undefined
        ? contractCall(addresses, 'market', 'proWithdraw', [], market)
        : contractCall(addresses, 'market', 'proWithdrawTo', [to], market),
    )
}
