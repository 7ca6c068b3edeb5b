import { hostname } from 'node:os'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Database, Store } from '../store/openStore.ts'

const LEASE_MS = 10_000
const ADVISORY_LOCK = 7_233_985

/** Thrown inside a write if another process has taken over: the write is rolled back. */
export class LostLeadership extends Error {
  constructor() {
    super('another indexer has taken over')
    this.name = 'LostLeadership'
  }
}

/**
 * Only one indexer writes at a time. Taking over raises the epoch, and every write checks its epoch inside its own transaction, so an
 * indexer that was merely suspended cannot overwrite its successor. PostgreSQL holds an advisory lock on a dedicated connection, which ends
 * with the process; SQLite has a lease, which a dead process on this machine loses at once.
 */
export class Leadership {
  private epoch = 0
  private connection: { client: pg.PoolClient; release: (destroy: boolean) => void } | undefined
  private readonly store: Store
  private readonly holder = `${hostname()}|${process.pid}|${Math.random().toString(36).slice(2)}`

  constructor(store: Store) {
    this.store = store
  }

  /** Tries to become the writer. */
  async acquire(): Promise<boolean> {
    if (this.store.pool) return this.acquireAdvisory(this.store.pool)
    return this.takeEpoch(true)
  }

  /** Must be called first in every writing transaction. */
  async fence(db: Database): Promise<void> {
    const renewed = await db
      .updateTable('leader')
      .set({ expires: Date.now() + LEASE_MS })
      .where('id', '=', 1)
      .where('epoch', '=', this.epoch)
      .executeTakeFirst()
    if (this.epoch === 0 || Number(renewed.numUpdatedRows) !== 1) throw new LostLeadership()
  }

  async release(): Promise<void> {
    const epoch = this.epoch
    this.epoch = 0
    if (epoch > 0) {
      await this.store.db.updateTable('leader').set({ expires: 0 }).where('id', '=', 1).where('epoch', '=', epoch).execute()
    }
    const connection = this.connection
    this.connection = undefined
    // Explicitly: the server notices a closed connection only after a while, and the successor would wait for it.
    await connection?.client.query('select pg_advisory_unlock_all()').catch(() => undefined)
    connection?.release(true)
  }

  private async acquireAdvisory(pool: pg.Pool): Promise<boolean> {
    this.connection ??= this.watched(await pool.connect())
    const { client, release } = this.connection
    try {
      const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [ADVISORY_LOCK])
      if (rows[0]?.got) return await this.takeEpoch(false)
    } catch (error) {
      this.connection = undefined
      release(true)
      throw error
    }
    this.connection = undefined
    release(false)
    return false
  }

  /** A connection that reports when it breaks. It is returned to the pool without our listeners. */
  private watched(client: pg.PoolClient): NonNullable<Leadership['connection']> {
    const onLost = () => {
      if (this.connection?.client !== client) return
      this.connection = undefined
      this.epoch = 0
      release(true)
    }
    let released = false
    const release = (destroy: boolean) => {
      if (released) return
      released = true
      client.off('error', onLost).off('end', onLost)
      // A client that is being closed may still emit errors.
      if (destroy) client.on('error', () => undefined)
      client.release(destroy)
    }
    client.on('error', onLost).on('end', onLost)
    return { client, release }
  }

  private async takeEpoch(respectLease: boolean): Promise<boolean> {
    const now = Date.now()
    return this.store.db.transaction().execute(async (db) => {
      await db
        .insertInto('leader')
        .values({ id: 1, epoch: 0, holder: '', expires: 0 })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
      const current = await db.selectFrom('leader').selectAll().where('id', '=', 1).executeTakeFirstOrThrow()
      if (respectLease && current.expires > now && current.holder !== this.holder && !isDead(current.holder)) return false
      await db
        .updateTable('leader')
        .set({ epoch: sql`epoch + 1`, holder: this.holder, expires: now + LEASE_MS })
        .where('id', '=', 1)
        .execute()
      this.epoch = current.epoch + 1
      return true
    })
  }
}

function isDead(holder: string): boolean {
  const [host, pid] = holder.split('|')
  if (host !== hostname()) return false
  if (Number(pid) === process.pid) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
