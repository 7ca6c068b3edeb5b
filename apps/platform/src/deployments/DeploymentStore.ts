import { randomUUID } from 'node:crypto'
import type { DeploymentRequest } from '@rackfair/protocol/deploymentRequests'
import {
  type DeploymentDetails,
  type DeploymentReport,
  type DeploymentWire,
  MAX_KEPT_STEPS,
} from '@rackfair/protocol/deployments'
import type { MarketEvent } from '@rackfair/protocol/events'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { type DeploymentPhase, PHASES } from '@rackfair/rules/deployment/phase'
import { leadsToProvider } from '@rackfair/rules/deployment/visitUrl'
import { sql } from 'kysely'
import { insertChanges } from '../store/insertChanges.ts'
import { insertRows } from '../store/insertRows.ts'
import { type Database, inTransaction, type Session, type Store } from '../store/openStore.ts'
import type { DeploymentEventTable, DeploymentTable } from '../store/tables.ts'

/** The name of a request among those of its order and wallet, and what it asks for. */
export interface Once {
  name: string
  asked: string
}

export interface Named {
  /** Null for a request without a name. */
  asked: string | null
  deployment: DeploymentWire
}

export interface NewDeployment {
  id: string
  orderId: bigint
  deployId: number
  user: LowerCaseAddress
  provider: LowerCaseAddress
  textHash: string
  once: Once | undefined
  request: DeploymentRequest
  expires: number
}

/** Deployments and their steps, persisted across restarts. Each change is also published to the feed. */
export class DeploymentStore {
  private readonly store: Store
  private readonly clock: () => number

  /** `clock` returns unix milliseconds. */
  constructor(store: Store, clock: () => number) {
    this.store = store
    this.clock = clock
  }

  /** Stores a new request as Queued. Idempotent: the same signed text is the same deployment, whatever way it came, and so is the same name. */
  async create({ once, ...fresh }: NewDeployment): Promise<Named & { existed: boolean }> {
    const at = this.clock()
    const created = await this.write(async (session) => {
      const { db } = session
      const taken = await db.selectFrom('deployment').select('provider').where('id', '=', fresh.id).executeTakeFirst()
      // Whoever reads a text elsewhere could have another provider's agent report its id here first.
      const id = taken && taken.provider !== fresh.provider ? randomUUID() : fresh.id
      const inserted = await db
        .insertInto('deployment')
        .values({
          ...fresh,
          id,
          orderId: String(fresh.orderId),
          ...{ once: once?.name ?? null, asked: once?.asked ?? null },
          request: JSON.stringify(fresh.request),
          agentId: null,
          phase: 'Queued',
          requestedAt: at,
          runningAt: null,
          visitUrl: null,
          details: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst()
      const existed = Number(inserted.numInsertedOrUpdatedRows) === 0
      const rows = db.selectFrom('deployment').select(['id', 'asked'])
      const named = once && (await rows.where('once', '=', once.name).executeTakeFirst())
      const sameText = rows.where((where) => where.or([where('textHash', '=', fresh.textHash), where('id', '=', id)]))
      const row = named ?? (await sameText.executeTakeFirstOrThrow())
      if (!existed) await addSteps(session, row.id, [], [{ phase: 'Queued', at }])
      return { ...row, isNews: !existed, existed }
    })
    const { id = '', asked = null, existed = false } = created ?? {}
    return { deployment: (await this.get(id)) as DeploymentWire, asked, existed }
  }

  /** What was asked for under a name, and what became of it; undefined if no agent accepted it. */
  async named(name: string): Promise<Named | undefined> {
    const row = await this.store.db.selectFrom('deployment').select(['id', 'asked']).where('once', '=', name).executeTakeFirst()
    const deployment = row && (await this.get(row.id))
    return row && deployment && { asked: row.asked, deployment }
  }

  /**
   * Applies an agent's report on one of its deployments, also on one that was requested through another platform. `id` is ours if the
   * agent answered our request. Returns true if that changed anything.
   */
  async report(provider: LowerCaseAddress, told: DeploymentReport, id?: string): Promise<boolean> {
    const done = await this.write(async (session) => {
      const { db } = session
      const known = await this.rowFor(db, provider, told, id)
      const row = known ?? (id === undefined ? await adopt(db, provider, told, this.clock()) : undefined)
      if (!row) return undefined
      // It was requested elsewhere under the same name.
      if (id !== undefined && told.id !== row.id) await dropTold(db, [told.id])
      const steps = await stepsOf(db, row.id)
      const have = new Set(steps.map((step) => `${step.phase}|${step.at}`))
      const fresh = told.steps.filter(({ phase, at }) => phase !== 'Queued' && !have.has(`${phase}|${at}`))
      const running = told.steps.find((step) => step.phase === 'Running')
      const runningAt = running && Math.min(Math.max(running.at, row.requestedAt), this.clock())
      const next = {
        agentId: told.id,
        phase: told.phase,
        visitUrl: await ownLink(db, row, told.visitUrl),
        details: told.details ? JSON.stringify(told.details) : null,
        request: null,
        runningAt: row.runningAt ?? runningAt ?? null,
      }
      const same = Object.entries(next).every(([column, value]) => row[column as keyof typeof next] === value)
      if (same && fresh.length === 0) return undefined
      await addSteps(session, row.id, steps, fresh)
      await db.updateTable('deployment').set(next).where('id', '=', row.id).execute()
      return { id: row.id, isNews: true }
    })
    return done !== undefined
  }

  /** Fails a request that no agent accepted, and frees its name. Does nothing once an agent has accepted it. */
  async fail(id: string, code: string, message: string): Promise<void> {
    await this.write(async (session) => {
      const { db } = session
      const row = await db.selectFrom('deployment').selectAll().where('id', '=', id).executeTakeFirst()
      if (row?.phase !== 'Queued' || row.agentId !== null) return undefined
      await addSteps(session, id, await stepsOf(db, id), [{ phase: 'Failed', at: this.clock(), code, message }])
      await db.updateTable('deployment').set({ phase: 'Failed', request: null, once: null }).where('id', '=', id).execute()
      return { id, isNews: true }
    })
  }

  async get(id: string): Promise<DeploymentWire | undefined> {
    return this.read(this.store.db, id)
  }

  async latestOf(orderId: string): Promise<DeploymentWire | undefined> {
    const row = await this.store.db
      .selectFrom('deployment')
      .select('id')
      .where('orderId', '=', orderId)
      .orderBy('requestedAt', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row && this.read(this.store.db, row.id)
  }

  /** Requests queued for this provider's agent, oldest first. */
  async waitingFor(provider: LowerCaseAddress): Promise<{ id: string; request: DeploymentRequest }[]> {
    const rows = await this.store.db
      .selectFrom('deployment')
      .select(['id', 'request'])
      .where('provider', '=', provider)
      .where('phase', '=', 'Queued')
      .where('agentId', 'is', null)
      .where('expires', '>', this.clock())
      .orderBy('requestedAt')
      .limit(100)
      .execute()
    return rows.flatMap(({ id, request }) => (request ? [{ id, request: JSON.parse(request) as DeploymentRequest }] : []))
  }

  /** Fails requests that have waited too long. */
  async expire(): Promise<void> {
    const rows = await this.store.db
      .selectFrom('deployment')
      .select('id')
      .where('phase', '=', 'Queued')
      .where('expires', '<=', this.clock())
      .limit(100)
      .execute()
    for (const { id } of rows) await this.fail(id, 'provider_offline', 'the provider did not take the request in time')
  }

  /** Median milliseconds from request to running over the newest hundred; null before the first. */
  async medianMs(): Promise<number | null> {
    const rows = await this.store.db
      .selectFrom('deployment')
      .select(['requestedAt', 'runningAt'])
      .where('runningAt', 'is not', null)
      .orderBy('runningAt', 'desc')
      .limit(100)
      .execute()
    const times = rows.map((row) => Number(row.runningAt) - row.requestedAt).sort((a, b) => a - b)
    return times[(times.length - 1) >> 1] ?? null
  }

  private async rowFor(
    db: Database,
    provider: LowerCaseAddress,
    told: DeploymentReport,
    id?: string,
  ): Promise<DeploymentTable | undefined> {
    const own = db.selectFrom('deployment').selectAll().where('provider', '=', provider)
    if (id !== undefined) return own.where('id', '=', id).executeTakeFirst()
    const named = await own
      .where((where) => where.or([where('agentId', '=', told.id), where('id', '=', told.id)]))
      .executeTakeFirst()
    if (named) return named
    // The agent's first status may arrive before its answer to the request.
    const unbound = await own
      .where('orderId', '=', told.orderId)
      .where('deployId', '=', told.deployId)
      .where('agentId', 'is', null)
      .where('phase', '=', 'Queued')
      .orderBy('requestedAt', 'desc')
      .executeTakeFirst()
    return unbound
  }

  private async read(db: Database, id: string): Promise<DeploymentWire | undefined> {
    const row = await db.selectFrom('deployment').selectAll().where('id', '=', id).executeTakeFirst()
    if (!row) return undefined
    const steps = await stepsOf(db, id)
    const phase = row.phase as DeploymentPhase
    return {
      id: row.id,
      orderId: row.orderId,
      deployId: row.deployId,
      user: row.user,
      provider: row.provider,
      phase,
      requestedAt: row.requestedAt,
      visitUrl: PHASES[phase].ended ? null : row.visitUrl,
      ...(row.details === null ? {} : { details: JSON.parse(row.details) as DeploymentDetails }),
      steps: steps.map(({ phase, at, code, message }) => ({
        phase: phase as DeploymentPhase,
        at,
        ...(code === null ? {} : { code }),
        ...(message === null ? {} : { message }),
      })),
    }
  }

  /** One transaction that changes a deployment and publishes the change. */
  private async write<Done extends { id: string; isNews: boolean }>(
    work: (session: Session) => Promise<Done | undefined>,
  ): Promise<Done | undefined> {
    const done = await inTransaction(this.store, async (session) => {
      const { db } = session
      // Takes SQLite's write lock before the first read, so that no other writer interferes.
      await db.updateTable('deployment').set({ phase: '' }).where('id', '=', '').execute()
      const changed = await work(session)
      const deployment = changed?.isNews ? await this.read(db, changed.id) : undefined
      if (deployment) {
        const { steps, ...news } = deployment
        const event = { type: 'deployment', deployment: { ...news, step: steps.at(-1) as Step } } satisfies MarketEvent
        await insertChanges(session, [{ topic: 'deployment', user: news.user, body: JSON.stringify(event) }])
      }
      return changed
    })
    if (done && this.store.kind === 'postgres') await sql`select pg_notify('rackfair_change', '')`.execute(this.store.db)
    return done
  }
}

type Step = DeploymentWire['steps'][number]

function stepsOf(db: Database, id: string): Promise<DeploymentEventTable[]> {
  return db.selectFrom('deploymentEvent').selectAll().where('deploymentId', '=', id).orderBy('position').execute()
}

/** Appends steps to the known ones, and drops the oldest beyond the limit. */
async function addSteps(
  session: Session,
  deploymentId: string,
  known: readonly DeploymentEventTable[],
  steps: readonly Step[],
): Promise<void> {
  const first = (known.at(-1)?.position ?? -1) + 1
  const rows = steps.map(({ phase, at, code = null, message = null }, index) => {
    return { deploymentId, position: first + index, phase, at, code, message }
  })
  await insertRows(session, 'deploymentEvent', rows)
  const kept = first + rows.length - MAX_KEPT_STEPS
  if (kept <= (known[0]?.position ?? 0)) return
  await session.db.deleteFrom('deploymentEvent').where('deploymentId', '=', deploymentId).where('position', '<', kept).execute()
}

/** What stands for the hash of a text that came another way. */
const TOLD = 'told '

/**
 * Stores a deployment that was requested through another platform. Of these only the newest of an order is kept, so that no agent fills the
 * tables.
 */
async function adopt(
  db: Database,
  provider: LowerCaseAddress,
  told: DeploymentReport,
  now: number,
): Promise<DeploymentTable | undefined> {
  const { id, orderId, deployId, user } = told
  const order = await db.selectFrom('order').select(['user', 'provider']).where('id', '=', BigInt(orderId)).executeTakeFirst()
  if (order?.provider !== provider || order.user !== user) return undefined
  const requestedAt = Math.min(told.requestedAt, now)
  const ofOrder = await db.selectFrom('deployment').select(['id', 'requestedAt']).where('orderId', '=', orderId).execute()
  if (ofOrder.some((one) => one.requestedAt >= requestedAt)) return undefined
  const earlier = ofOrder.map((one) => one.id)
  if (earlier.length > 0) await dropTold(db, earlier)
  return db
    .insertInto('deployment')
    .values({
      ...{ id, orderId, deployId, user: order.user, provider, textHash: `${TOLD}${id}`, agentId: id, phase: told.phase },
      ...{ once: null, asked: null, request: null, requestedAt, expires: 0, runningAt: null, visitUrl: null, details: null },
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Removes those of these that came another way. */
async function dropTold(db: Database, ids: readonly string[]): Promise<void> {
  const told = db.selectFrom('deployment').select('id').where('id', 'in', ids).where('textHash', 'like', `${TOLD}%`)
  await db.deleteFrom('deploymentEvent').where('deploymentId', 'in', told).execute()
  await db.deleteFrom('deployment').where('id', 'in', ids).where('textHash', 'like', `${TOLD}%`).execute()
}

/** An agent's link becomes a button: it may only lead to its own provider. */
async function ownLink(db: Database, { provider, orderId }: DeploymentTable, link: string | null): Promise<string | null> {
  if (link === null) return null
  const place = await db.selectFrom('provider').select(['ip', 'domain']).where('address', '=', provider).executeTakeFirst()
  return place && leadsToProvider(link, place, BigInt(orderId)) ? link : null
}
