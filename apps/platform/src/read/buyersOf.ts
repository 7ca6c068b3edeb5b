import type { LowerCaseAddress } from '@rackfair/rules/address'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { purseAddress } from '@rackfair/sdk'
import type { MarketDeployment } from '../settings/Settings.ts'

/** The accounts whose orders are an account's own: itself, and its purse. */
export function buyersOf(
  { purseFactory }: Pick<MarketDeployment, 'purseFactory'>,
  account: LowerCaseAddress,
): LowerCaseAddress[] {
  return purseFactory === undefined ? [account] : [account, lowerCaseAddress(purseAddress(purseFactory, account))]
}
