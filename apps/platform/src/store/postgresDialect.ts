import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { CopyingClient } from './CopyingClient.ts'

const INT8 = 20

/** kysely on PostgreSQL. Integers beyond 2^53 are returned as bigint, money (numeric) as a decimal string. */
export function postgresDialect(pool: pg.Pool): PostgresDialect {
  return new PostgresDialect({ pool })
}

export function postgresPool(url: string, size: number): pg.Pool {
  const types = {
    getTypeParser(oid: number, format?: 'text' | 'binary') {
      if (oid === INT8) return readInteger
      return pg.types.getTypeParser(oid, format)
    },
  } as pg.CustomTypesConfig
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    Client: CopyingClient,
    types,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  })
  // A connection dropped by the server fails its query and is replaced; without a listener it would crash the process.
  pool.on('error', () => undefined)
  pool.on('connect', (connection) => connection.on('error', () => undefined))
  return pool
}

function readInteger(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}
