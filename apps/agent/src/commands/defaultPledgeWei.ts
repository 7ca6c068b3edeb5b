import type { NodeInput } from '@rackfair/rules/formRules'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { promisedWei } from '@rackfair/rules/order/money'
import { ratePerMonthWei } from '@rackfair/rules/prices/pricing'

const MIN_USD = 10n

/** The pledge that selling all these nodes locks at the Market's `penalty` (seconds), in whole USD and at least 10. */
export function defaultPledgeWei(nodes: readonly NodeInput[], penalty: number): bigint {
  const lockedWei = nodes.reduce((sum, node) => sum + promisedWei({ ratePerMonthWei: ratePerMonthWei(node, node), penalty }), 0n)
  const usd = (lockedWei + ONE_CREDIT_WEI - 1n) / ONE_CREDIT_WEI
  return (usd < MIN_USD ? MIN_USD : usd) * ONE_CREDIT_WEI
}
