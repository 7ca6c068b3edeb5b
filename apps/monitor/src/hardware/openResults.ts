import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { HardwareResultWire } from '@rackfair/hardware/record'
import { MAX_PUBLISHED_RESULTS } from '@rackfair/hardware/wire'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { EVIDENCE_DAYS } from '@rackfair/rules/uptime/reliability'

export type HardwareResultsFile = ReturnType<typeof openResults>

/**
 * This monitor's hardware results of 400 days, in one file, numbered in ascending order. Crash-safe: a result is on disk before anybody can
 * read it.
 */
export function openResults(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS result (
      id INTEGER PRIMARY KEY AUTOINCREMENT, time INTEGER NOT NULL, provider TEXT NOT NULL, nodeId TEXT NOT NULL, rev INTEGER NOT NULL,
      orderId TEXT NOT NULL, beacon TEXT NOT NULL, json TEXT NOT NULL, UNIQUE (provider, nodeId, beacon)) STRICT;
    CREATE INDEX IF NOT EXISTS resultTime ON result (time);`)
  const insert = db.prepare(
    'INSERT OR IGNORE INTO result (time, provider, nodeId, rev, orderId, beacon, json) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const forget = db.prepare('DELETE FROM result WHERE time < ?')
  const after = db.prepare('SELECT id, json FROM result WHERE id > ? ORDER BY id LIMIT ?')
  const known = db.prepare('SELECT 1 FROM result WHERE provider = ? AND nodeId = ? AND rev = ? AND orderId = ? LIMIT 1')
  return {
    put(result: HardwareResultWire): void {
      const { time, provider, nodeId, rev, orderId, beacon } = result
      insert.run(time, provider, nodeId, rev, orderId, beacon, JSON.stringify(result))
      forget.run(time - EVIDENCE_DAYS * 86_400)
    },
    /** Whether a node was tested in this revision and for this order. */
    has: (provider: LowerCaseAddress, nodeId: bigint, rev: number, orderId: bigint): boolean =>
      known.get(provider, String(nodeId), rev, String(orderId)) !== undefined,
    /** Results after a number, oldest first, and the number to continue from. */
    after(id: number): { results: HardwareResultWire[]; next: number } {
      const rows = after.all(id, MAX_PUBLISHED_RESULTS) as { id: number; json: string }[]
      return { results: rows.map(({ json }) => JSON.parse(json) as HardwareResultWire), next: rows.at(-1)?.id ?? id }
    },
    close: () => db.close(),
  }
}
