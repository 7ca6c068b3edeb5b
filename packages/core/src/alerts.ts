/** What a person can be told of. `sold`, `gas` and `pledge` are for providers, `failed` and `ending` for buyers, the others for both. */
export const ALERT_EVENTS = ['sold', 'closed', 'offline', 'gas', 'pledge', 'failed', 'ending'] as const
export type AlertEvent = (typeof ALERT_EVENTS)[number]

/** Alerts of one account. */
export const MAX_ALERT_RULES = 10
/** Messages of the last 30 days that are told of, of all alerts of an account together. */
export const MAX_RECENT_ALERTS = 6

/** What is asked for: a webhook (an https address) or a mail address, and when. */
export interface AlertRule {
  kind: 'webhook' | 'mail'
  target: string
  events: readonly AlertEvent[]
}
