import type { ProviderWire } from '@rackfair/protocol/providers'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { MIN_GAS_WEI } from '@rackfair/rules/limits'
import { checkoutBlocker } from '@rackfair/rules/order/checkout'
import { readNode } from '@rackfair/sdk/http'
import type { Database } from '../store/openStore.ts'
import type { LateReader } from './createLateReader.ts'
import type { Observation } from './observeAlerts.ts'

export interface FundsSources {
  db: Database
  provider: (address: LowerCaseAddress) => ProviderWire | undefined
  /** The gas balance of an account, in wei; undefined while unknown. */
  gasOf: LateReader<bigint>
}

const DAY_SECONDS = 86_400
const MAX_ROWS = 5000
const NOBODY = /^0x0*$/

/**
 * What providers with an alert lack to sell and to serve, at `now` in unix seconds. Its key is the same all day, so that the alert is
 * repeated the next day.
 */
export async function observeFunds({ db, provider, gasOf }: FundsSources, now: number): Promise<Observation[]> {
  const selling = await db
    .selectFrom('provider')
    .select('address')
    .where('nNode', '>', 0)
    .where('address', 'in', db.selectFrom('alertRule').select('owner').where('confirmed', '=', 1))
    .limit(MAX_ROWS)
    .execute()
  const day = Math.floor(now / DAY_SECONDS)
  return selling.flatMap(({ address }): Observation[] => {
    const found = provider(address)
    if (!found) return []
    const base = { account: address, provider: address, time: now, orderId: null }
    const blocked = found.nodes
      .map((node) => checkoutBlocker({ machine: readNode(node, 'node') }, { address: undefined }, { now, penalty: node.penalty }))
      .filter((blocker) => blocker?.code.startsWith('pledge')).length
    const gasWei = gasOf(NOBODY.test(found.operator) ? address : lowerCaseAddress(found.operator))
    return [
      ...(blocked > 0 ? [{ ...base, event: 'pledge' as const, key: `pledge:${address}:${day}`, detail: blocked }] : []),
      ...(gasWei !== undefined && gasWei < MIN_GAS_WEI
        ? [{ ...base, event: 'gas' as const, key: `gas:${address}:${day}`, detail: 0 }]
        : []),
    ]
  })
}
