import { randomBytes } from 'node:crypto'
import { AppError, DEVELOPMENT_CHAIN_ID } from '@rackfair/core'
import {
  type AlertCreated,
  type AlertEvent,
  type AlertMessage,
  type AlertRequest,
  type AlertWire,
  MAX_ALERT_RULES,
} from '@rackfair/core/wire'
import type { Logger } from 'pino'
import type { Presence } from '../presence/Presence.ts'
import type { Database } from '../store/openStore.ts'
import type { AlertDeliveryTable, AlertRuleTable } from '../store/tables.ts'
import { alertText, type Locale } from './alertText.ts'
import { type Observation, observeAlerts } from './observeAlerts.ts'
import type { SendMail } from './sendMail.ts'
import { refusedTarget, sendWebhook } from './sendWebhook.ts'

const EMAIL = /^[^\s@<>(),;:\\"[\]]{1,64}@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i
const MAX_ATTEMPTS = 15
const FIRST_RETRY_SECONDS = 30
const MAX_RETRY_SECONDS = 4 * 3600
/** A process that died while it sent: another one sends again after this. */
const CLAIM_SECONDS = 60
const MAX_AT_ONCE = 20
/** A target that nobody reads, or an account with a thousand orders, fills no table. */
const MAX_WAITING_PER_RULE = 200
const KEPT_SECONDS = 30 * 86_400
/** A block is dated by who made it, some seconds off this machine's clock. */
const CLOCK_SLACK_SECONDS = 60

export interface AlertsOptions {
  db: Database
  presence: Presence
  chainId: number
  sendMail: SendMail | undefined
  /** The site's own origin, for links. */
  origin: () => string
  /** Number of the newest block of the rows. */
  block: () => number
  /** Unix milliseconds. */
  clock: () => number
  log: Logger
}

/**
 * Tells accounts what happens to their orders and nodes, by webhook and mail. Several processes may do it side by side: each message has an id
 * that is the same in all of them, and is claimed before it is sent. It arrives at least once: who dies between sending and noting sends again.
 */
export class Alerts {
  private readonly options: AlertsOptions
  private seenBlock: number | undefined

  constructor(options: AlertsOptions) {
    this.options = options
  }

  get hasMail(): boolean {
    return this.options.sendMail !== undefined
  }

  /** @throws AppError `bad_request` for a target that cannot be used, `conflict` for one alert too many */
  async create(owner: string, request: AlertRequest): Promise<AlertCreated> {
    const { db } = this.options
    const target = request.target.trim()
    const refused = request.kind === 'webhook' ? refusedTarget(target, this.isLocal) : this.refusedMail(target)
    if (refused) throw new AppError('bad_request', `${refused}; nothing was saved`)
    const { count } = await db
      .selectFrom('alertRule')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    if (Number(count) >= MAX_ALERT_RULES) throw conflict(`an account has at most ${MAX_ALERT_RULES} alerts; remove one first`)
    const rule: AlertRuleTable = {
      ...{ id: newToken(), owner, kind: request.kind, target, locale: request.locale, createdAt: this.now() },
      events: JSON.stringify([...new Set(request.events)]),
      ...{
        secret: request.kind === 'webhook' ? newToken() : '',
        token: newToken(),
        confirmed: request.kind === 'webhook' ? 1 : 0,
      },
    }
    await db.insertInto('alertRule').values(rule).execute()
    if (rule.kind === 'mail') await this.askToConfirm(rule)
    return { alert: wireOf(rule, undefined), secret: rule.secret || null }
  }

  async list(owner: string): Promise<AlertWire[]> {
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

  /** Removes an alert of this account, and what waits for it. @throws AppError `not_found` */
  async remove(owner: string, id: string): Promise<void> {
    const rule = await this.ruleOf(owner, id)
    await this.drop(rule.id)
  }

  /** Sends a message now. Answers why it did not arrive; null when it did. @throws AppError `conflict` before the address is confirmed */
  async test(owner: string, id: string): Promise<string | null> {
    const rule = await this.ruleOf(owner, id)
    if (!rule.confirmed) throw conflict('follow the link of the mail first')
    const text = rule.locale === 'zh' ? '这是一条测试消息，提醒可以送达。' : 'This is a test: alerts arrive here.'
    const about = { event: 'test', time: this.now(), orderId: null, provider: null } as const
    return this.send(rule, this.message(rule, about, `test:${newToken()}`, text)).then(() => null, reasonOf)
  }

  /** The owner of a mail address wants these mails. @throws AppError `not_found` */
  async confirm(token: string): Promise<void> {
    const updated = await this.options.db
      .updateTable('alertRule')
      .set({ confirmed: 1 })
      .where('token', '=', token)
      .executeTakeFirst()
    if (Number(updated.numUpdatedRows) === 0) throw notFound('this alert does not exist any more')
  }

  /** By the link of a mail, without signing in. An alert that is gone already is no error. */
  async unsubscribe(token: string): Promise<void> {
    const rule = await this.options.db.selectFrom('alertRule').select('id').where('token', '=', token).executeTakeFirst()
    if (rule) await this.drop(rule.id)
  }

  /** Finds what happened and sends what is due. */
  async tick(): Promise<void> {
    await this.enqueue()
    await this.deliver()
  }

  private async enqueue(): Promise<void> {
    const { db, presence } = this.options
    const block = this.options.block()
    this.seenBlock ??= block
    const observed = await observeAlerts(db, presence, { fromBlock: this.seenBlock, now: this.now() })
    for (const one of observed) await this.enqueueOne(one)
    this.seenBlock = block
    await db
      .deleteFrom('alertDelivery')
      .where('createdAt', '<', this.now() - KEPT_SECONDS)
      .execute()
  }

  private async enqueueOne(observation: Observation): Promise<void> {
    const { db } = this.options
    const rules = await db
      .selectFrom('alertRule')
      .selectAll()
      .where('owner', '=', observation.account)
      .where('confirmed', '=', 1)
      // What was before the alert was asked for is no news.
      .where('createdAt', '<=', observation.time + CLOCK_SLACK_SECONDS)
      .execute()
    for (const rule of rules.filter(({ events }) => (JSON.parse(events) as AlertEvent[]).includes(observation.event))) {
      const id = `${rule.id}:${observation.key}`
      if (await db.selectFrom('alertDelivery').select('id').where('id', '=', id).executeTakeFirst()) continue
      if ((await this.waitingOf(rule.id)) >= MAX_WAITING_PER_RULE) continue
      const message = this.message(rule, observation, observation.key, alertText(observation, rule.locale as Locale))
      const row = {
        id,
        ruleId: rule.id,
        body: JSON.stringify(message),
        state: 'waiting',
        createdAt: this.now(),
        dueAt: this.now(),
      }
      await db
        .insertInto('alertDelivery')
        .values({ ...row, attempts: 0, error: null })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
    }
  }

  private async deliver(): Promise<void> {
    const { db } = this.options
    const due = await db
      .selectFrom('alertDelivery')
      .selectAll()
      .where('state', '=', 'waiting')
      .where('dueAt', '<=', this.now())
      .orderBy('dueAt')
      .limit(MAX_AT_ONCE)
      .execute()
    await Promise.all(due.map((delivery) => this.deliverOne(delivery)))
  }

  private async deliverOne({ id, ruleId, dueAt, attempts, body }: AlertDeliveryTable): Promise<void> {
    const { db, log } = this.options
    const claimed = await db
      .updateTable('alertDelivery')
      .set({ dueAt: this.now() + CLAIM_SECONDS, attempts: attempts + 1 })
      .where('id', '=', id)
      .where('dueAt', '=', dueAt)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (Number(claimed.numUpdatedRows) === 0) return
    const rule = await db.selectFrom('alertRule').selectAll().where('id', '=', ruleId).executeTakeFirst()
    if (!rule) return void (await db.deleteFrom('alertDelivery').where('id', '=', id).execute())
    try {
      await this.send(rule, JSON.parse(body) as AlertMessage)
      await db.updateTable('alertDelivery').set({ state: 'sent', error: null }).where('id', '=', id).execute()
    } catch (error) {
      const reason = reasonOf(error)
      const isLast = attempts + 1 >= MAX_ATTEMPTS
      const wait = Math.min(FIRST_RETRY_SECONDS * 2 ** attempts, MAX_RETRY_SECONDS)
      await db
        .updateTable('alertDelivery')
        .set({ state: isLast ? 'failed' : 'waiting', dueAt: this.now() + wait, error: reason })
        .where('id', '=', id)
        .execute()
      if (isLast) log.info({ rule: ruleId, reason }, 'an alert could not be delivered')
    }
  }

  private async send(rule: AlertRuleTable, message: AlertMessage): Promise<void> {
    if (rule.kind === 'webhook') {
      const body = JSON.stringify(message)
      return sendWebhook(rule.target, body, rule.secret, { isLocal: this.isLocal, now: this.now() })
    }
    const { sendMail } = this.options
    if (!sendMail) throw new Error('this market sends no mail')
    const stop = `${this.options.origin()}/alerts?unsubscribe=${rule.token}`
    await sendMail({
      to: rule.target,
      subject: `Rackfair: ${message.text}`,
      text: `${message.text}\n\n${message.url}`,
      unsubscribe: stop,
    })
  }

  private async askToConfirm(rule: AlertRuleTable): Promise<void> {
    const link = `${this.options.origin()}/alerts?confirm=${rule.token}`
    const chinese = rule.locale === 'zh'
    const text = chinese
      ? `账户 ${rule.owner} 希望把 Rackfair 的提醒发送到此邮箱。若是你本人，请打开：\n\n${link}\n\n否则无需理会，不会再有邮件。`
      : `The account ${rule.owner} wants alerts of Rackfair sent to this address. If that is you, open:\n\n${link}\n\nElse do nothing: no more mail comes.`
    const subject = chinese ? 'Rackfair：确认提醒邮箱' : 'Rackfair: confirm where alerts are sent'
    const unsubscribe = `${this.options.origin()}/alerts?unsubscribe=${rule.token}`
    try {
      await this.options.sendMail?.({ to: rule.target, subject, text, unsubscribe })
    } catch (cause) {
      await this.drop(rule.id)
      throw new AppError('not_ready', 'the mail server did not take the mail; nothing was saved, try again later', {
        ...{ cause, facts: { status: 503 }, retryable: true },
      })
    }
  }

  private refusedMail(target: string): string | undefined {
    if (!this.hasMail) return 'this market sends no mail'
    return EMAIL.test(target) && target.length <= 254 ? undefined : 'this is not an e-mail address'
  }

  private message(
    rule: AlertRuleTable,
    { event, time, orderId, provider }: Pick<AlertMessage, 'event' | 'time' | 'orderId' | 'provider'>,
    id: string,
    text: string,
  ): AlertMessage {
    const place = orderId === null ? '/providerinfo' : `/orderinfo?id=${orderId}`
    return { id, event, time, account: rule.owner, orderId, provider, text, url: `${this.options.origin()}${place}` }
  }

  private async waitingOf(ruleId: string): Promise<number> {
    const { count } = await this.options.db
      .selectFrom('alertDelivery')
      .select(({ fn }) => fn.countAll().as('count'))
      .where('ruleId', '=', ruleId)
      .where('state', '=', 'waiting')
      .executeTakeFirstOrThrow()
    return Number(count)
  }

  private newestOf(ruleId: string): Promise<AlertDeliveryTable | undefined> {
    const all = this.options.db.selectFrom('alertDelivery').selectAll().where('ruleId', '=', ruleId)
    return all.orderBy('createdAt', 'desc').limit(1).executeTakeFirst()
  }

  private async ruleOf(owner: string, id: string): Promise<AlertRuleTable> {
    const all = this.options.db.selectFrom('alertRule').selectAll()
    const rule = await all.where('owner', '=', owner).where('id', '=', id).executeTakeFirst()
    if (!rule) throw notFound('this account has no such alert')
    return rule
  }

  private async drop(id: string): Promise<void> {
    await this.options.db.deleteFrom('alertRule').where('id', '=', id).execute()
    await this.options.db.deleteFrom('alertDelivery').where('ruleId', '=', id).execute()
  }

  private get isLocal(): boolean {
    return this.options.chainId === DEVELOPMENT_CHAIN_ID
  }

  private now(): number {
    return Math.floor(this.options.clock() / 1000)
  }
}

const conflict = (message: string) => new AppError('conflict', message, { facts: { status: 409 } })
const notFound = (message: string) => new AppError('not_found', message, { facts: { status: 404 } })

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 200)

const newToken = (): string => randomBytes(32).toString('base64url')

const wireOf = (rule: AlertRuleTable, newest: AlertDeliveryTable | undefined): AlertWire => ({
  ...{ id: rule.id, kind: rule.kind as AlertWire['kind'], target: rule.target, createdAt: rule.createdAt },
  ...{ events: JSON.parse(rule.events) as AlertEvent[], confirmed: rule.confirmed === 1 },
  last: newest ? { at: newest.createdAt, error: newest.state === 'sent' ? null : newest.error, attempts: newest.attempts } : null,
})
