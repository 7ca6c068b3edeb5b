import { ALERT_EVENTS, MAX_ALERT_RULES, MAX_RECENT_ALERTS } from '@rackfair/rules/alerts'
import { count, flag, id, listOf, object, oneOf, orNull, seconds, text, textOf, type ValueOf, type WireOf } from './shape.ts'

const alertId = textOf(100)
const event = oneOf(...ALERT_EVENTS)

/** An alert of an account. */
export const alert = object({
  id: alertId,
  kind: oneOf('webhook', 'mail'),
  /** An https address, or a mail address. */
  target: text,
  events: listOf(event, ALERT_EVENTS.length),
  /** Unix seconds. */
  createdAt: seconds,
  /** False for a mail address whose owner has not followed the link yet: it receives nothing. */
  confirmed: flag,
  /** The newest message and its delivery; null before the first. `error` is null once it was delivered. */
  last: orNull(object({ at: seconds, error: orNull(text), attempts: count })),
})
export type Alert = ValueOf<typeof alert>
export type AlertWire = WireOf<typeof alert>

/** What an account was notified of, listed once even if several alerts match it. */
const recentAlert = object({
  id: alertId,
  /** Unix seconds. */
  at: seconds,
  event,
  orderId: orNull(id),
  /** `sent` once one of its alerts was delivered; `failed` when no alert will be retried. */
  state: oneOf('waiting', 'sent', 'failed'),
})
export type RecentAlert = ValueOf<typeof recentAlert>

/** `GET /v1/alerts`, of the signed-in account. */
export const alertsAnswer = object({
  alerts: listOf(alert, MAX_ALERT_RULES),
  /** Whether the platform sends mails. */
  mail: flag,
  /** Newest first. */
  recent: listOf(recentAlert, MAX_RECENT_ALERTS),
})
export type Alerts = ValueOf<typeof alertsAnswer>
export type AlertsAnswer = WireOf<typeof alertsAnswer>

/** The answer of `POST /v1/alerts`. The webhook's secret, with which its messages are signed, is shown only once; null for a mail address. */
export const alertCreated = object({ alert, secret: orNull(text) })
export type CreatedAlert = ValueOf<typeof alertCreated>
export type AlertCreated = WireOf<typeof alertCreated>

/** `POST /v1/alerts/{id}/test`: null if the message was delivered, else the reason it was not. */
export const alertTested = object({ error: orNull(text) })
export type AlertTested = WireOf<typeof alertTested>

/**
 * `GET /v1/alerts`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readAlerts = (json: unknown): Alerts => alertsAnswer(json, 'alerts')

/**
 * `POST /v1/alerts`.
 * @throws AppError `answer_malformed`.
 */
export const readCreatedAlert = (json: unknown): CreatedAlert => alertCreated(json, 'created')

/**
 * `POST /v1/alerts/{id}/test`: null if the message was delivered, else the reason it was not.
 * @throws AppError `answer_malformed`.
 */
export const readAlertTest = (json: unknown): string | null => alertTested(json, 'test').error
