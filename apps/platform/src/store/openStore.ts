import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import type pg from 'pg'
import { type ColumnTypes, columnTypes } from './columnTypes.ts'
import { migrate } from './migrate.ts'
import { postgresDialect, postgresPool } from './postgresDialect.ts'
import { sqliteDialect } from './sqliteDialect.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>

export interface Store {
  kind: 'sqlite' | 'postgres'
  db: Database
  /** The pool behind a PostgreSQL store, for advisory locks and notifications. */
  pool: pg.Pool | undefined
  /** Of a PostgreSQL store. */
  types: ColumnTypes | undefined
  close(): Promise<void>
}

/** Where statements run: the store itself, or one of its transactions. */
export type Session = Pick<Store, 'kind' | 'db' | 'types'>

export interface StoreSettings {
  dataFolder: string
  databaseUrl: string | undefined
}

/** Opens the store and migrates its tables: PostgreSQL if a URL is given, else a single SQLite file. */
export async function openStore(settings: StoreSettings, options: { migrate: boolean } = { migrate: true }): Promise<Store> {
  if (settings.databaseUrl === undefined) mkdirSync(settings.dataFolder, { recursive: true })
  const pool = settings.databaseUrl === undefined ? undefined : postgresPool(settings.databaseUrl, 10)
  const dialect = pool ? postgresDialect(pool) : sqliteDialect(join(settings.dataFolder, 'market.sqlite'))
  const kind = pool ? 'postgres' : 'sqlite'
  const db = new Kysely<Tables>({ dialect })
  if (options.migrate) await migrate(db, kind)
  const types = pool && (await columnTypes(db))
  return { kind, db, pool, types, close: () => db.destroy() }
}

/** Runs work in one transaction, atomically. */
export function inTransaction<Result>(
  { kind, db, types }: Session,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  return db.transaction().execute((transaction) => work({ kind, db: transaction, types }))
}
