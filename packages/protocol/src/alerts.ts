import { ALERT_EVENTS, MAX_RECENT_ALERTS } from '@rackfair/rules/alerts'
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

export const alertWire = z.object({
  id: z.string(),
  kind: z.enum(['webhook', 'mail']),
  target: z.string(),
  events: z.array(z.enum(ALERT_EVENTS)),
  createdAt: unixSeconds,
  /** False for a mail address whose owner has not followed the link yet: it receives nothing. */
  confirmed: z.boolean(),
  /** The newest message and its delivery; null before the first. `error` is null once it was delivered. */
  last: z.object({ at: unixSeconds, error: z.string().nullable(), attempts: z.number().int() }).nullable(),
})
export type AlertWire = z.infer<typeof alertWire>

/** `GET /v1/alerts`, of the signed-in account. `mail` is false if the operator has configured no mail. */
export const alertsAnswer = z.object({
  alerts: z.array(alertWire),
  mail: z.boolean(),
  /** Newest first; an event that several alerts match is listed once. */
  recent: z
    .array(
      z.object({
        id: z.string(),
        at: unixSeconds,
        event: z.enum(ALERT_EVENTS),
        orderId: z.string().nullable(),
        /** `sent` once one of them was delivered; `failed` when none will be retried. */
        state: z.enum(['waiting', 'sent', 'failed']),
      }),
    )
    .max(MAX_RECENT_ALERTS),
})
export type AlertsAnswer = z.infer<typeof alertsAnswer>

/** The answer of `POST /v1/alerts`. The webhook's secret, with which its messages are signed, is shown only once. */
export const alertCreated = z.object({ alert: alertWire, secret: z.string().nullable() })
export type AlertCreated = z.infer<typeof alertCreated>

/** `POST /v1/alerts/{id}/test`: null if the message was delivered, else the reason it was not. */
export const alertTested = z.object({ error: z.string().nullable() })
export type AlertTested = z.infer<typeof alertTested>

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
