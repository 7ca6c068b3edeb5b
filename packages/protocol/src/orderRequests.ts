import { MAX_MONTHS, MAX_ORDER_SECONDS, MIN_ORDER_SECONDS } from '@rackfair/rules/duration'
import { z } from 'zod'
import { addressString } from './scalars.ts'

/** Body of `POST /v1/order/fee`, under the specification's names. `duration` in seconds, within the bounds of the contract. */
export const feeRequest = z.object({
  duration: z
    .number()
    .int()
    .min(MIN_ORDER_SECONDS, `an order lasts at least ${MIN_ORDER_SECONDS} seconds (an hour)`)
    .max(MAX_ORDER_SECONDS, `an order lasts at most ${MAX_ORDER_SECONDS} seconds (${MAX_MONTHS} months of 30 days)`),
  node_id: z.number().int().min(1).max(4_294_967_295),
  provider: addressString,
})
