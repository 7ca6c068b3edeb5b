/**
 * Events that an account can be alerted to. `sold`, `gas` and `pledge` are for providers, `failed` and `ending` for buyers, the others for
 * both.
 */
export const ALERT_EVENTS = ['sold', 'closed', 'offline', 'gas', 'pledge', 'failed', 'ending'] as const
export type AlertEvent = (typeof ALERT_EVENTS)[number]

/** Alerts of one account. */
export const MAX_ALERT_RULES = 10
/** Maximum recent messages listed, from the last 30 days and all alerts of an account together. */
export const MAX_RECENT_ALERTS = 6

/** A requested alert: a webhook (an https address) or a mail address, and its events. */
export interface AlertRule {
  kind: 'webhook' | 'mail'
  target: string
  events: readonly AlertEvent[]
}
