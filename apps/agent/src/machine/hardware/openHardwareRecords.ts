import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { HardwareResultWire } from '@rackfair/hardware/record'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { EVIDENCE_DAYS } from '@rackfair/rules/uptime/reliability'

const WEEK_SECONDS = 7 * 86_400
/** Results per node and day, over all monitors. */
const MAX_RESULTS_A_DAY = 100

export type HardwareRecords = ReturnType<typeof openHardwareRecords>

/** Durations of this machine's tests, and the results that monitors signed, for 400 days. Safe against kill -9. */
export function openHardwareRecords(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS run (time INTEGER NOT NULL, nodeId TEXT NOT NULL, ms INTEGER NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS result (
      time INTEGER NOT NULL, nodeId TEXT NOT NULL, monitor TEXT NOT NULL, beacon TEXT NOT NULL, json TEXT NOT NULL,
      PRIMARY KEY (nodeId, beacon, monitor)) STRICT, WITHOUT ROWID;`)
  const addRun = db.prepare('INSERT INTO run VALUES (?, ?, ?)')
  const forgetRuns = db.prepare('DELETE FROM run WHERE time < ?')
  const spent = db.prepare('SELECT coalesce(sum(ms), 0) AS ms FROM run WHERE nodeId = ? AND time >= ?')
  const recent = db.prepare('SELECT count(*) AS count FROM result WHERE nodeId = ? AND time >= ?')
  const addResult = db.prepare('INSERT OR IGNORE INTO result VALUES (?, ?, ?, ?, ?)')
  const forgetResults = db.prepare('DELETE FROM result WHERE time < ?')
  const newest = db.prepare('SELECT json FROM result ORDER BY time DESC, monitor LIMIT ?')
  return {
    addRun(time: number, nodeId: bigint, ms: number): void {
      addRun.run(time, String(nodeId), Math.round(ms))
      forgetRuns.run(time - WEEK_SECONDS)
    },
    /** Time spent on a node's tests in the week before `now`, in ms. */
    spentMs: (nodeId: bigint, now: number): number => (spent.get(String(nodeId), now - WEEK_SECONDS) as { ms: number }).ms,
    /** Stores a result with a verified signature; false once a day has its maximum. */
    keep(result: HardwareResultWire): boolean {
      const { count } = recent.get(result.nodeId, result.time - 86_400) as { count: number }
      if (count >= MAX_RESULTS_A_DAY) return false
      addResult.run(result.time, result.nodeId, lowerCaseAddress(result.monitor), result.beacon, JSON.stringify(result))
      forgetResults.run(result.time - EVIDENCE_DAYS * 86_400)
      return true
    },
    newest: (limit: number): HardwareResultWire[] =>
      (newest.all(limit) as { json: string }[]).map(({ json }) => JSON.parse(json) as HardwareResultWire),
    close: () => db.close(),
  }
}
