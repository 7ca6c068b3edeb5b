import { ALERT_EVENTS, type AlertEvent, type AlertRule, MAX_ALERT_RULES, MAX_RECENT_ALERTS } from '@rackfair/rules/alerts'
import { count, fieldsOf, flag, id, listOf, oneOf, orNull, type Read, seconds, text, textOf } from './fields.ts'

const MAX_ID = 100

/** An alert of an account. */
export interface Alert extends AlertRule {
  id: string
  /** Unix seconds. */
  createdAt: number
  /** False for a mail address whose owner has not followed the link yet: it receives nothing. */
  confirmed: boolean
  /** The newest message and its delivery; null before the first. `error` is null once it was delivered. */
  last: { at: number; error: string | null; attempts: number } | null
}

/** What an account was notified of, listed once even if several alerts match it. */
export interface RecentAlert {
  id: string
  /** Unix seconds. */
  at: number
  event: AlertEvent
  orderId: bigint | null
  /** `sent` once one of its alerts was delivered; `failed` when no alert will be retried. */
  state: 'waiting' | 'sent' | 'failed'
}

export interface Alerts {
  alerts: readonly Alert[]
  /** Whether the platform sends mails. */
  mail: boolean
  /** Newest first. */
  recent: readonly RecentAlert[]
}

/** The webhook's secret, with which its messages are signed; shown only once. Null for a mail address. */
export interface CreatedAlert {
  alert: Alert
  secret: string | null
}

/**
 * `GET /v1/alerts`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readAlerts(json: unknown): Alerts {
  const of = fieldsOf(json, 'alerts')
  return {
    alerts: of('alerts', listOf(alert, MAX_ALERT_RULES)),
    mail: of('mail', flag),
    recent: of('recent', listOf(recentAlert, MAX_RECENT_ALERTS)),
  }
}

/**
 * `POST /v1/alerts`.
 * @throws AppError `answer_malformed`.
 */
export function readCreatedAlert(json: unknown): CreatedAlert {
  const of = fieldsOf(json, 'created')
  return { alert: of('alert', alert), secret: of('secret', orNull(text)) }
}

/**
 * `POST /v1/alerts/{id}/test`: null if the message was delivered, else the reason it was not.
 * @throws AppError `answer_malformed`.
 */
export function readAlertTest(json: unknown): string | null {
  return fieldsOf(json, 'test')('error', orNull(text))
}

const event = oneOf(...ALERT_EVENTS)

const alert: Read<Alert> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    id: of('id', textOf(MAX_ID)),
    kind: of('kind', oneOf('webhook', 'mail')),
    target: of('target', text),
    events: of('events', listOf(event, ALERT_EVENTS.length)),
    createdAt: of('createdAt', seconds),
    confirmed: of('confirmed', flag),
    last: of('last', orNull(lastMessage)),
  }
}

const lastMessage: Read<NonNullable<Alert['last']>> = (json, name) => {
  const of = fieldsOf(json, name)
  return { at: of('at', seconds), error: of('error', orNull(text)), attempts: of('attempts', count) }
}

const recentAlert: Read<RecentAlert> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    id: of('id', textOf(MAX_ID)),
    at: of('at', seconds),
    event: of('event', event),
    orderId: of('orderId', orNull(id)),
    state: of('state', oneOf('waiting', 'sent', 'failed')),
  }
}
