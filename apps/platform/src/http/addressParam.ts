import { addressString } from '@rackfair/protocol/scalars'
import { lowerCaseAddress } from '@rackfair/rules/address'

/** A requested address, in either case. */
export const addressParam = addressString.transform(lowerCaseAddress)
