import type { AlertMessage } from '@rackfair/protocol/alertRequests'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { AlertEvent } from '@rackfair/rules/alerts'
import { purseAddress } from '@rackfair/sdk'
import type { Logger } from 'pino'
import type { Presence } from '../presence/Presence.ts'
import type { MarketDeployment } from '../settings/Settings.ts'
import type { Database } from '../store/openStore.ts'
import type { AlertDeliveryTable } from '../store/tables.ts'
import { type AlertSender, reasonOf } from './AlertSender.ts'
import { alertText, type Locale } from './alertText.ts'
import type { PurseSources } from './endsOf.ts'
import { type Observation, observeAlerts } from './observeAlerts.ts'
import { type FundsSources, observeFunds } from './observeFunds.ts'

const MAX_ATTEMPTS = 15
const FIRST_RETRY_SECONDS = 30
const MAX_RETRY_SECONDS = 4 * 3600
/** A claim expires after this long, in case its process died while sending; then another process sends again. */
const CLAIM_SECONDS = 60
const MAX_AT_ONCE = 20
/** A target that never answers occupies a slot for ten seconds; one account's targets occupy at most this many. */
const MAX_AT_ONCE_PER_ACCOUNT = 2
const MAX_IN_A_ROW = 20
/** Bounds the table against a target that nobody reads, or an account with a thousand orders. */
const MAX_WAITING_PER_RULE = 200
const KEPT_SECONDS = 30 * 86_400
/** A block's timestamp is set by its producer, and may differ from this machine's clock by some seconds. */
const CLOCK_SLACK_SECONDS = 60
/**
 * A condition that holds for days, such as an agent that is away, is observed on every tick; whether a rule was confirmed meanwhile is only
 * checked this often.
 */
const ASKED_AGAIN_SECONDS = 300
const MAX_KNOWN = 20_000

export interface AlertQueueOptions {
  db: Database
  presence: Presence
  sender: AlertSender
  funds: Omit<FundsSources, 'db'>
  purses: PurseSources
  deployment: Pick<MarketDeployment, 'purseFactory'>
  /** Number of the newest indexed block. */
  block: () => number
  /** Unix milliseconds. */
  clock: () => number
  log: Logger
}

/**
 * Notifies accounts of what happens to their orders and nodes. Several processes may run it concurrently: a message has the same id in all
 * of them, and is claimed before it is sent. Delivery is at least once: if a process dies between sending and recording, the message is
 * sent again.
 */
export class AlertQueue {
  private readonly options: AlertQueueOptions
  private readonly sending = new Map<string, { owner: string; end: Promise<void> }>()
  private readonly known = new Set<string>()
  private knownSince = 0
  private seenBlock: number | undefined

  constructor(options: AlertQueueOptions) {
    this.options = options
  }

  /** Finds new events and starts to send what is due; a slow target does not delay the others. */
  async tick(): Promise<void> {
    await this.enqueue()
    await this.deliver()
  }

  /** Resolves when nothing is in flight. Nothing new may be started. */
  async settle(): Promise<void> {
    await Promise.all([...this.sending.values()].map(({ end }) => end))
  }

  private async enqueue(): Promise<void> {
    const { db, presence, funds, purses } = this.options
    const block = this.options.block()
    this.seenBlock ??= block
    if (this.known.size > MAX_KNOWN || this.now() - this.knownSince > ASKED_AGAIN_SECONDS) {
      this.known.clear()
      this.knownSince = this.now()
    }
    const now = this.now()
    await this.namePurses()
    const observed = await observeAlerts(db, presence, purses, { fromBlock: this.seenBlock, now })
    for (const one of [...observed, ...(await observeFunds({ ...funds, db }, now))]) await this.enqueueOne(one)
    this.seenBlock = block
    await db
      .deleteFrom('alertDelivery')
      .where('createdAt', '<', this.now() - KEPT_SECONDS)
      .execute()
  }

  /** The address of a purse follows from its owner's. */
  private async namePurses(): Promise<void> {
    const { db, deployment } = this.options
    const { purseFactory } = deployment
    if (purseFactory === undefined) return
    const nameless = await db.selectFrom('alertRule').select('owner').distinct().where('purse', 'is', null).execute()
    for (const { owner } of nameless) {
      const purse = lowerCaseAddress(purseAddress(purseFactory, owner))
      await db.updateTable('alertRule').set({ purse }).where('owner', '=', owner).execute()
    }
  }

  private async enqueueOne(observation: Observation): Promise<void> {
    const { db, sender } = this.options
    const key = `${observation.account}:${observation.key}`
    if (this.known.has(key)) return
    const rules = await db
      .selectFrom('alertRule')
      .selectAll()
      .where('owner', '=', observation.account)
      .where('confirmed', '=', 1)
      // Events from before the alert was created are not news.
      .where('createdAt', '<=', observation.time + CLOCK_SLACK_SECONDS)
      .execute()
    for (const rule of rules.filter(({ events }) => (JSON.parse(events) as AlertEvent[]).includes(observation.event))) {
      const id = `${rule.id}:${observation.key}`
      if (await db.selectFrom('alertDelivery').select('id').where('id', '=', id).executeTakeFirst()) continue
      if ((await this.waitingOf(rule.id)) >= MAX_WAITING_PER_RULE) continue
      const message = sender.message(rule.owner, observation, observation.key, alertText(observation, rule.locale as Locale))
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
    // A rule created within the slack of a block's timestamp may still match what was just observed.
    if (observation.time + CLOCK_SLACK_SECONDS < this.now()) this.known.add(key)
  }

  private async deliver(): Promise<void> {
    const { db } = this.options
    if (this.sending.size >= MAX_AT_ONCE) return
    // The oldest per rule: a long backlog for one target must not delay the others.
    const due = await db
      .selectFrom('alertDelivery as delivery')
      .innerJoin('alertRule as rule', 'rule.id', 'delivery.ruleId')
      .select(({ fn }) => ['rule.owner', 'delivery.ruleId', fn.min('delivery.dueAt').as('dueAt')])
      .where('delivery.state', '=', 'waiting')
      .where('delivery.dueAt', '<=', this.now())
      .groupBy(['rule.owner', 'delivery.ruleId'])
      .orderBy(({ fn }) => fn.min('delivery.dueAt'))
      .execute()
    for (const { owner, ruleId } of due) {
      if (this.sending.size >= MAX_AT_ONCE) return
      if (this.sending.has(ruleId) || this.sendingOf(owner) >= MAX_AT_ONCE_PER_ACCOUNT) continue
      const end = this.deliverDue(ruleId)
        .catch((error: unknown) => this.options.log.warn({ err: error, rule: ruleId }, 'an alert is late'))
        .finally(() => this.sending.delete(ruleId))
      this.sending.set(ruleId, { owner, end })
    }
  }

  private sendingOf(account: LowerCaseAddress): number {
    return [...this.sending.values()].filter(({ owner }) => owner === account).length
  }

  /** One after another, until one fails. */
  private async deliverDue(ruleId: string): Promise<void> {
    const { db } = this.options
    for (let count = 0; count < MAX_IN_A_ROW; count += 1) {
      const oldest = await db
        .selectFrom('alertDelivery')
        .selectAll()
        .where('ruleId', '=', ruleId)
        .where('state', '=', 'waiting')
        .where('dueAt', '<=', this.now())
        .orderBy('dueAt')
        .limit(1)
        .executeTakeFirst()
      if (!oldest || !(await this.deliverOne(oldest))) return
    }
  }

  /** Returns whether it was delivered. */
  private async deliverOne({ id, ruleId, dueAt, attempts, body }: AlertDeliveryTable): Promise<boolean> {
    const { db, log, sender } = this.options
    const claimed = await db
      .updateTable('alertDelivery')
      .set({ dueAt: this.now() + CLAIM_SECONDS, attempts: attempts + 1 })
      .where('id', '=', id)
      .where('dueAt', '=', dueAt)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (Number(claimed.numUpdatedRows) === 0) return false
    const rule = await db.selectFrom('alertRule').selectAll().where('id', '=', ruleId).executeTakeFirst()
    if (!rule) {
      await db.deleteFrom('alertDelivery').where('id', '=', id).execute()
      return false
    }
    try {
      await sender.send(rule, JSON.parse(body) as AlertMessage)
      await db.updateTable('alertDelivery').set({ state: 'sent', error: null }).where('id', '=', id).execute()
      return true
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
      return false
    }
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

  private now(): number {
    return Math.floor(this.options.clock() / 1000)
  }
}
