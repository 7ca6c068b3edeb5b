import { randomBytes } from 'node:crypto'
import type { AlertMessage, AlertRequest } from '@rackfair/protocol/alertRequests'
import type { AlertCreated, AlertsAnswer, AlertWire } from '@rackfair/protocol/alerts'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { type AlertEvent, MAX_ALERT_RULES, MAX_RECENT_ALERTS } from '@rackfair/rules/alerts'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { Database } from '../store/openStore.ts'
import type { AlertDeliveryTable, AlertRuleTable } from '../store/tables.ts'
import { type AlertSender, reasonOf } from './AlertSender.ts'

export interface AlertRulesOptions {
  db: Database
  sender: AlertSender
  /** Unix milliseconds. */
  clock: () => number
}

/** The alerts of each account: its events and targets. For delivery see `AlertQueue`. */
export class AlertRules {
  private readonly options: AlertRulesOptions

  constructor(options: AlertRulesOptions) {
    this.options = options
  }

  get hasMail(): boolean {
    return this.options.sender.hasMail
  }

  /**
   * @throws AppError `bad_request` for an unusable target, `conflict` above the maximum number of alerts, `not_ready` without the mail
   * server
   */
  async create(owner: LowerCaseAddress, request: AlertRequest): Promise<AlertCreated> {
    const { db, sender } = this.options
    const target = request.target.trim()
    const refused = sender.refusal(request.kind, target)
    if (refused) throw new AppError('bad_request', `${refused}; nothing was saved`)
    const { count } = await db
      .selectFrom('alertRule')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_ALERT_RULES) throw conflict(`an account has at most ${MAX_ALERT_RULES} alerts; remove one first`)
    const isWebhook = request.kind === 'webhook'
    const rule: AlertRuleTable = {
      ...{ id: newToken(), owner, purse: null, kind: request.kind, target, locale: request.locale, createdAt: this.now() },
      events: JSON.stringify([...new Set(request.events)]),
      ...{ secret: isWebhook ? newToken() : '', token: newToken(), confirmed: isWebhook ? 1 : 0 },
    }
    await db.insertInto('alertRule').values(rule).execute()
    if (!isWebhook) await this.askToConfirm(rule)
    return { alert: wireOf(rule, undefined), secret: rule.secret || null }
  }

  async list(owner: LowerCaseAddress): Promise<AlertWire[]> {
    const { db } = this.options
    const rules = await db
      .selectFrom('alertRule')
      .selectAll()
      .where('owner', '=', owner)
      .orderBy('createdAt')
      .orderBy('id')
      .execute()
    return Promise.all(rules.map(async (rule) => wireOf(rule, await this.newestOf(rule.id))))
  }

  /** The account's most recent messages, over all its alerts. */
  async recent(owner: LowerCaseAddress): Promise<AlertsAnswer['recent']> {
    const rows = await this.options.db
      .selectFrom('alertDelivery as delivery')
      .innerJoin('alertRule as rule', 'rule.id', 'delivery.ruleId')
      .select(['delivery.body', 'delivery.state', 'delivery.createdAt'])
      .where('rule.owner', '=', owner)
      .orderBy('delivery.createdAt', 'desc')
      .orderBy('delivery.id')
      .limit(MAX_RECENT_ALERTS * MAX_ALERT_RULES)
      .execute()
    const found = new Map<string, AlertsAnswer['recent'][number]>()
    for (const { body, state, createdAt } of rows) {
      const { id, event, orderId } = JSON.parse(body) as AlertMessage
      const known = found.get(id)
      if (known)
        known.state = STATES[Math.min(STATES.indexOf(known.state), STATES.indexOf(state as DeliveryState))] ?? known.state
      else if (event !== 'test') found.set(id, { id, at: createdAt, event, orderId, state: state as DeliveryState })
    }
    return [...found.values()].slice(0, MAX_RECENT_ALERTS)
  }

  /** Removes an alert of this account with its pending messages. @throws AppError `not_found` */
  async remove(owner: LowerCaseAddress, id: string): Promise<void> {
    const rule = await this.ruleOf(owner, id)
    await this.drop(rule.id)
  }

  /**
   * Sends a test message now. Returns why it was not delivered; null if it was. @throws AppError `conflict` before the address is confirmed
   */
  async test(owner: LowerCaseAddress, id: string): Promise<string | null> {
    const { sender } = this.options
    const rule = await this.ruleOf(owner, id)
    if (!rule.confirmed) throw conflict('open the link in the mail first')
    const text = rule.locale === 'zh' ? '这是一条测试消息，提醒可以送达。' : 'This is a test: alerts arrive here.'
    const about = { event: 'test', time: this.now(), orderId: null, provider: null } as const
    const message = sender.message(rule.owner, about, `test:${newToken()}`, text)
    return sender.send(rule, message).then(() => null, reasonOf)
  }

  /** Confirms a mail address, with the token from its owner's link. @throws AppError `not_found` */
  async confirm(token: string): Promise<void> {
    const updated = await this.options.db
      .updateTable('alertRule')
      .set({ confirmed: 1 })
      .where('token', '=', token)
      .executeTakeFirst()
    if (Number(updated.numUpdatedRows) === 0) throw notFound('this alert no longer exists')
  }

  /** By the link of a mail, without signing in. An alert that is already gone is no error. */
  async unsubscribe(token: string): Promise<void> {
    const rule = await this.options.db.selectFrom('alertRule').select('id').where('token', '=', token).executeTakeFirst()
    if (rule) await this.drop(rule.id)
  }

  private async askToConfirm(rule: AlertRuleTable): Promise<void> {
    try {
      await this.options.sender.askToConfirm(rule)
    } catch (cause) {
      await this.drop(rule.id)
      throw new AppError('not_ready', 'the mail server did not take the mail; nothing was saved, try again later', {
        ...{ cause, facts: { status: 503 }, retryable: true },
      })
    }
  }

  private newestOf(ruleId: string): Promise<AlertDeliveryTable | undefined> {
    const all = this.options.db.selectFrom('alertDelivery').selectAll().where('ruleId', '=', ruleId)
    return all.orderBy('createdAt', 'desc').limit(1).executeTakeFirst()
  }

  private async ruleOf(owner: LowerCaseAddress, id: string): Promise<AlertRuleTable> {
    const all = this.options.db.selectFrom('alertRule').selectAll()
    const rule = await all.where('owner', '=', owner).where('id', '=', id).executeTakeFirst()
    if (!rule) throw notFound('this account has no such alert')
    return rule
  }

  private async drop(id: string): Promise<void> {
    await this.options.db.deleteFrom('alertRule').where('id', '=', id).execute()
    await this.options.db.deleteFrom('alertDelivery').where('ruleId', '=', id).execute()
  }

  private now(): number {
    return Math.floor(this.options.clock() / 1000)
  }
}

type DeliveryState = AlertsAnswer['recent'][number]['state']
/** The best state first: a message delivered by any alert counts as sent. */
const STATES: readonly DeliveryState[] = ['sent', 'waiting', 'failed']

const conflict = (message: string) => new AppError('conflict', message, { facts: { status: 409 } })
const notFound = (message: string) => new AppError('not_found', message, { facts: { status: 404 } })

const newToken = (): string => randomBytes(32).toString('base64url')

const wireOf = (rule: AlertRuleTable, newest: AlertDeliveryTable | undefined): AlertWire => ({
  ...{ id: rule.id, kind: rule.kind as AlertWire['kind'], target: rule.target, createdAt: rule.createdAt },
  ...{ events: JSON.parse(rule.events) as AlertEvent[], confirmed: rule.confirmed === 1 },
  last: newest ? { at: newest.createdAt, error: newest.state === 'sent' ? null : newest.error, attempts: newest.attempts } : null,
})
