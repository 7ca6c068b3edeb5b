import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LowerCaseAddress } from '@rackfair/rules/address'

/** What an edge has given to a provider. */
export interface Place {
  provider: LowerCaseAddress
  /** The label below the edge's zone. */
  label: string
  rawPort: number
}

/** A provider that stays away for so long may lose its port to another. */
const KEPT_SECONDS = 30 * 86_400
const LABEL_DIGITS = 10

const SCHEMA = `CREATE TABLE IF NOT EXISTS place (
  provider TEXT PRIMARY KEY, label TEXT NOT NULL UNIQUE, rawPort INTEGER NOT NULL UNIQUE, seen INTEGER NOT NULL,
  month TEXT NOT NULL DEFAULT '', bytes INTEGER NOT NULL DEFAULT 0) STRICT`

export type Book = ReturnType<typeof openBook>

/** The providers of an edge, in one file: their names, their raw ports, and the bytes of their visitors in this month. */
export function openBook(file: string, { rawPorts, now }: { rawPorts: readonly [number, number]; now: () => number }) {
  mkdirSync(dirname(file), { recursive: true })
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; ${SCHEMA}`)
  const month = () => new Date(now() * 1000).toISOString().slice(0, 7)
  const of = (provider: string) =>
    db.prepare('SELECT provider, label, rawPort FROM place WHERE provider = ?').get(provider) as unknown as Place | undefined
  const isTaken = (column: 'label' | 'rawPort', value: string | number, provider: string) =>
    db.prepare(`SELECT 1 FROM place WHERE ${column} = ? AND provider <> ?`).get(value, provider) !== undefined

  const freePort = (provider: string, wished: number | undefined): number | undefined => {
    const [first, last] = rawPorts
    const isFree = (port: number) => port >= first && port <= last && !isTaken('rawPort', port, provider)
    if (wished !== undefined && isFree(wished)) return wished
    const before = of(provider)?.rawPort
    if (before !== undefined && isFree(before)) return before
    const size = last - first + 1
    const start = Number.parseInt(provider.slice(-8), 16)
    for (let at = 0; at < size; at += 1) {
      const port = first + ((start + at) % size)
      if (isFree(port)) return port
    }
    return undefined
  }
  /** The provider that has been away for longest, if for long enough. */
  const abandoned = () =>
    db.prepare('SELECT provider, rawPort FROM place WHERE seen < ? ORDER BY seen LIMIT 1').get(now() - KEPT_SECONDS) as
      | Pick<Place, 'provider' | 'rawPort'>
      | undefined
  const wouldTake = (
    provider: LowerCaseAddress,
    { port, label }: { port?: number | undefined; label?: string | undefined },
  ): Place | undefined => {
    const rawPort = freePort(provider, port) ?? abandoned()?.rawPort
    if (rawPort === undefined) return undefined
    const digits = provider.slice(2)
    const short = `p-${digits.slice(0, LABEL_DIGITS)}`
    const own = label !== undefined && !isTaken('label', label, provider) ? label : short
    return { provider, label: isTaken('label', own, provider) ? `p-${digits}` : own, rawPort }
  }

  return {
    /** The place that `take` would give to a provider now. */
    wouldTake,
    /**
     * The place of a provider, made at its first visit. The port is the one it wishes, else the one it had, else one by its address, so that
     * providers who ask before they come are told different ones; the label the one that it was given by the owner of this edge, else digits
     * of its address. Undefined where all ports are taken.
     */
    take(provider: LowerCaseAddress, wish: { port?: number | undefined; label?: string | undefined }): Place | undefined {
      const place = wouldTake(provider, wish)
      if (place === undefined) return undefined
      db.prepare('DELETE FROM place WHERE rawPort = ? AND provider <> ?').run(place.rawPort, provider)
      db.prepare(
        `INSERT INTO place (provider, label, rawPort, seen) VALUES (?, ?, ?, ?)
         ON CONFLICT (provider) DO UPDATE SET label = excluded.label, rawPort = excluded.rawPort, seen = excluded.seen`,
      ).run(provider, place.label, place.rawPort, now())
      return place
    },
    /** All providers that have a place. */
    places: () =>
      db.prepare('SELECT provider, label FROM place ORDER BY provider').all() as unknown as Pick<Place, 'provider' | 'label'>[],
    /** Adds to the bytes of this month, and returns them. */
    add(provider: LowerCaseAddress, bytes: number): number {
      const row = db
        .prepare(
          `UPDATE place SET bytes = CASE WHEN month = ?1 THEN bytes + ?2 ELSE ?2 END, month = ?1, seen = ?3 WHERE provider = ?4
           RETURNING bytes`,
        )
        .get(month(), bytes, now(), provider)
      return Number(row?.bytes ?? 0)
    },
    /** When the next month begins, in Unix seconds. */
    nextMonth(): number {
      const date = new Date(now() * 1000)
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000
    },
    close: () => db.close(),
  }
}
