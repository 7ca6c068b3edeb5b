import { lowerCaseAddress } from '@rackfair/core'
import { addressString } from '@rackfair/core/wire'

/** An address that somebody asks for, in whatever case. */
export const addressParam = addressString.transform(lowerCaseAddress)
