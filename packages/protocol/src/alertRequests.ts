import { ALERT_EVENTS } from '@rackfair/rules/alerts'
import { z } from 'zod'
import { addressString, unixSeconds } from './scalars.ts'

/** `POST /v1/alerts`: a webhook (an https address) or a mail address. */
export const alertRequest = z.object({
  kind: z.enum(['webhook', 'mail']),
  target: z.string().min(3).max(500),
  events: z.array(z.enum(ALERT_EVENTS)).min(1).max(ALERT_EVENTS.length),
  locale: z.enum(['en', 'zh']),
})
export type AlertRequest = z.infer<typeof alertRequest>

/** `POST /v1/alerts/confirm` and `/v1/alerts/unsubscribe`: the token from the link in the mail. */
export const alertToken = z.object({ token: z.string().regex(/^[\w-]{43}$/) })

/**
 * The payload of a webhook. The header `rackfair-signature` is `t=SECONDS,v1=HEX`: HMAC-SHA256 of `SECONDS.BODY` with the secret. A message
 * may be delivered more than once, with the same `id`.
 */
export const alertMessage = z.object({
  id: z.string(),
  event: z.enum([...ALERT_EVENTS, 'test']),
  time: unixSeconds,
  account: addressString,
  orderId: z.string().nullable(),
  provider: addressString.nullable(),
  text: z.string(),
  url: z.string(),
})
export type AlertMessage = z.infer<typeof alertMessage>
