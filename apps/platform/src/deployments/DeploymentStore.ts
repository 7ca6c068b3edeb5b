import { PHASES } from '@rackfair/core'
import type { DeploymentPhase, DeploymentRequest, DeploymentWire } from '@rackfair/core/wire'
import { sql } from 'kysely'
import { insertChanges } from '../store/insertChanges.ts'
import { type Database, inTransaction, type Store } from '../store/openStore.ts'
import type { DeploymentTable } from '../store/tables.ts'

export interface NewDeployment {
  id: string
  orderId: bigint
  deployId: number
  user: string
  provider: string
  textHash: string
  request: DeploymentRequest
  expires: number
}

/** Deployments and their steps, kept through every restart. Each change is also a message of the feed. */
export class DeploymentStore {
  private readonly store: Store
  private readonly clock: () => number

  /** `clock` answers Unix milliseconds. */
  constructor(store: Store, clock: () => number) {
    this.store = store
    this.clock = clock
  }

  /** Keeps a new request as Queued. The same signed text twice is the same deployment. */
  async create(fresh: NewDeployment): Promise<{ deployment: DeploymentWire; existed: boolean }> {
    const at = this.clock()
    return this.write(async (db) => {
      const inserted = await db
        .insertInto('deployment')
        .values({
          ...fresh,
          orderId: String(fresh.orderId),
          request: JSON.stringify(fresh.request),
          agentId: null,
          phase: 'Queued',
          requestedAt: at,
          runningAt: null,
          visitUrl: null,
        })
        .onConflict((conflict) => conflict.column('textHash').doNothing())
        .executeTakeFirst()
      const existed = Number(inserted.numInsertedOrUpdatedRows) === 0
      const row = await db.selectFrom('deployment').select('id').where('textHash', '=', fresh.textHash).executeTakeFirstOrThrow()
      if (!existed) await addStep(db, row.id, { phase: 'Queued', at })
      return { id: row.id, result: (deployment: DeploymentWire) => ({ deployment, existed }) }
    })
  }

  /** Takes over what the agent says about one of its deployments. `id` is ours when the agent answered our request. */
  async report(provider: string, told: DeploymentWire, id?: string): Promise<void> {
    await this.write(async (db) => {
      const row = await this.rowFor(db, provider, told, id)
      if (!row) return undefined
      const known = await db
        .selectFrom('deploymentEvent')
        .selectAll()
        .where('deploymentId', '=', row.id)
        .orderBy('position')
        .execute()
      const have = new Set(known.map((step) => `${step.phase}|${step.at}`))
      for (const step of told.steps) {
        if (step.phase !== 'Queued' && !have.has(`${step.phase}|${step.at}`)) await addStep(db, row.id, step)
      }
      const running = told.steps.find((step) => step.phase === 'Running')
      await db
        .updateTable('deployment')
        .set({
          agentId: told.id,
          phase: told.phase,
          visitUrl: safeLink(told.visitUrl),
          request: null,
          ...(row.runningAt === null && running ? { runningAt: Math.max(running.at, row.requestedAt) } : {}),
        })
        .where('id', '=', row.id)
        .execute()
      return { id: row.id, result: () => undefined }
    })
  }

  /** Ends a request that no agent took. Does nothing once an agent has taken it. */
  async fail(id: string, code: string, message: string): Promise<void> {
    await this.write(async (db) => {
      const row = await db.selectFrom('deployment').selectAll().where('id', '=', id).executeTakeFirst()
      if (row?.phase !== 'Queued' || row.agentId !== null) return undefined
      await addStep(db, id, { phase: 'Failed', at: this.clock(), code, message })
      await db.updateTable('deployment').set({ phase: 'Failed', request: null }).where('id', '=', id).execute()
      return { id, result: () => undefined }
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

  /** Requests that wait for this provider's agent, oldest first. */
  async waitingFor(provider: string): Promise<{ id: string; request: DeploymentRequest }[]> {
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

  /** Ends what has waited too long. */
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

  private async rowFor(db: Database, provider: string, told: DeploymentWire, id?: string): Promise<DeploymentTable | undefined> {
    const own = db.selectFrom('deployment').selectAll().where('provider', '=', provider)
    if (id !== undefined) return own.where('id', '=', id).executeTakeFirst()
    const named = await own
      .where((where) => where.or([where('agentId', '=', told.id), where('id', '=', told.id)]))
      .executeTakeFirst()
    if (named) return named
    // The agent's first status may overtake its answer to the request.
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
    const steps = await db.selectFrom('deploymentEvent').selectAll().where('deploymentId', '=', id).orderBy('position').execute()
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
      steps: steps.map(({ phase, at, code, message }) => ({
        phase: phase as DeploymentPhase,
        at,
        ...(code === null ? {} : { code }),
        ...(message === null ? {} : { message }),
      })),
    }
  }

  /** One transaction that changes a deployment and says so in the feed. */
  private async write<Result>(
    work: (db: Database) => Promise<{ id: string; result: (deployment: DeploymentWire) => Result } | undefined>,
  ): Promise<Result> {
    const result = await inTransaction(this.store, async (session) => {
      const { db } = session
      // Takes SQLite's write lock before the first read, so that no other writer comes in between.
      await db.updateTable('deployment').set({ phase: '' }).where('id', '=', '').execute()
      const done = await work(db)
      if (!done) return undefined
      const deployment = (await this.read(db, done.id)) as DeploymentWire
      const body = JSON.stringify({ type: 'deployment', deployment })
      await insertChanges(session, [{ topic: 'deployment', user: deployment.user, body }])
      return done.result(deployment)
    })
    if (this.store.kind === 'postgres') await sql`select pg_notify('rackfair_change', '')`.execute(this.store.db)
    return result as Result
  }
}

async function addStep(
  db: Database,
  deploymentId: string,
  step: { phase: string; at: number; code?: string | undefined; message?: string | undefined },
): Promise<void> {
  const last = await db
    .selectFrom('deploymentEvent')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('deploymentId', '=', deploymentId)
    .executeTakeFirst()
  const next = last?.position == null ? 0 : Number(last.position) + 1
  await db
    .insertInto('deploymentEvent')
    .values({
      deploymentId,
      position: next,
      phase: step.phase,
      at: step.at,
      code: step.code ?? null,
      message: step.message ?? null,
    })
    .execute()
}

/** A link that an agent names is a stranger's text: only http and https may become a button. */
function safeLink(link: string | null): string | null {
  return link !== null && link.length <= 500 && /^https?:\/\/[^\s"'<>]+$/.test(link) ? link : null
}
