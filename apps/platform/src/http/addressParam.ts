import { lowerCaseAddress } from '@rackfair/core'
import { addressString } from '@rackfair/core/wire'

/** A requested address, in either case. */
export const addressParam = addressString.transform(lowerCaseAddress)
