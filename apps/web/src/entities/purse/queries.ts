import { type PurseOrder, type PurseView, purseOf, readPurse, readPurseOrder } from '@rackfair/sdk'
import { queryOptions, skipToken } from '@tanstack/react-query'
import type { Address } from 'viem'
import type { Market } from '../../wallet/index.ts'

/** A key spends without this page, which asks again after so many milliseconds. */
const AGAIN_MS = 15_000

export interface OwnPurse {
  address: Address
  factory: Address
  /** Undefined before it is made. */
  view: PurseView | undefined
}

/** The purse of an account; null where the market has none. */
export function ownPurseQuery(market: Market | undefined, owner: Address | undefined) {
  return queryOptions({
    queryKey: ['purse', owner ?? ''],
    queryFn:
      market && owner
        ? async (): Promise<OwnPurse | null> => {
            if (market.purses === undefined) return null
            const { purse, exists, factory } = await purseOf(market, owner)
            return { address: purse, factory, view: exists ? await readPurse(market, purse) : undefined }
          }
        : skipToken,
    meta: { live: ['order'] },
    refetchInterval: AGAIN_MS,
  })
}

/** Who bought each order of a purse, and how it is kept alive, by the order's id. */
export function purseOrdersQuery(market: Market | undefined, purse: Address, ids: readonly string[]) {
  return queryOptions({
    queryKey: ['purse', 'orders', purse, ids],
    queryFn: market
      ? async (): Promise<ReadonlyMap<string, PurseOrder>> =>
          new Map(await Promise.all(ids.map(async (id) => [id, await readPurseOrder(market, purse, BigInt(id))] as const)))
      : skipToken,
    meta: { live: ['order'] },
    refetchInterval: AGAIN_MS,
  })
}
