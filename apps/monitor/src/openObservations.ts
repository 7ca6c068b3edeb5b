import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type Calendar, EVIDENCE_DAYS, PRODUCTION_PACE } from '@rackfair/core'
import type { DowntimeReport } from '@rackfair/sdk/uptime'
import type { Address, Hex } from 'viem'

/** What this monitor saw of a node in an epoch. `orderId` is 0 where nobody had it. */
export interface Observation {
  epoch: number
  provider: Address
  nodeId: bigint
  market: Address
  orderId: bigint
  isUp: boolean
  /** The operator's signature over the attestation; undefined where there was no answer. */
  attestation: Hex | undefined
}

/** What this monitor saw of an order in a period, and whose node that was. */
export type OwnReport = DowntimeReport & { provider: Address; nodeId: bigint }

/** A report on its way to the chain. */
export interface Reported {
  period: number
  root: Hex
  salt: Hex
  revealed: boolean
}

/** As many at any pace, so that the file stays as small on a chain that counts faster. */
const KEPT_EPOCHS = (EVIDENCE_DAYS * 86_400) / PRODUCTION_PACE.epochSeconds

export type Observations = ReturnType<typeof openObservations>

/** What a monitor saw in 400 days and what it committed to, in one file. Safe against kill -9: a salt is on disk before its commitment is sent. */
export function openObservations(file: string, calendar: Calendar) {
  const { periodOf, firstEpoch, epochsPerPeriod } = calendar
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE IF NOT EXISTS observation (
      epoch INTEGER NOT NULL, provider TEXT NOT NULL, nodeId TEXT NOT NULL, market TEXT NOT NULL, orderId TEXT NOT NULL,
      isUp INTEGER NOT NULL, attestation TEXT, PRIMARY KEY (epoch, provider, nodeId)) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS report (period INTEGER PRIMARY KEY, root TEXT NOT NULL, salt TEXT NOT NULL, revealed INTEGER NOT NULL) STRICT;`)
  const insert = db.prepare('INSERT OR REPLACE INTO observation VALUES (?, ?, ?, ?, ?, ?, ?)')
  const forget = db.prepare('DELETE FROM observation WHERE epoch < ?')
  const ofPeriod = db.prepare(`SELECT provider, nodeId, market, orderId, epoch, isUp FROM observation
    WHERE epoch BETWEEN ? AND ? AND orderId <> '0' ORDER BY market, CAST(orderId AS INTEGER), epoch`)
  const putReport = db.prepare('INSERT OR IGNORE INTO report VALUES (?, ?, ?, 0)')
  const getReport = db.prepare('SELECT * FROM report WHERE period = ?')
  const setRevealed = db.prepare('UPDATE report SET revealed = 1 WHERE period = ?')

  return {
    /** What comes after its period was reported changes nothing: the root would not match it. */
    put({ epoch, provider, nodeId, market, orderId, isUp, attestation }: Observation): void {
      if (getReport.get(periodOf(epoch))) return
      const key = [epoch, provider.toLowerCase(), String(nodeId)] as const
      insert.run(...key, market.toLowerCase(), String(orderId), isUp ? 1 : 0, attestation ?? null)
    },
    forgetBefore: (epoch: number) => void forget.run(epoch - KEPT_EPOCHS),
    /** What it saw of every order in a period, always in the same order. */
    reports(period: number): OwnReport[] {
      const first = firstEpoch(period)
      const rows = ofPeriod.all(first, first + epochsPerPeriod - 1) as {
        provider: string
        nodeId: string
        market: string
        orderId: string
        epoch: number
        isUp: number
      }[]
      const reports = new Map<string, OwnReport>()
      for (const { provider, nodeId, market, orderId, epoch, isUp } of rows) {
        if (periodOf(epoch) !== period) continue
        const key = `${market} ${orderId}`
        const fresh = {
          provider: provider as Address,
          nodeId: BigInt(nodeId),
          market: market as Address,
          orderId: BigInt(orderId),
        }
        const report = reports.get(key) ?? { ...fresh, observed: 0n, down: 0n }
        const bit = 1n << BigInt(epoch - first)
        report.observed |= bit
        if (!isUp) report.down |= bit
        reports.set(key, report)
      }
      return [...reports.values()]
    },
    /** Keeps the first root of a period for ever: a later one would not match its commitment. */
    putReport: (period: number, root: Hex, salt: Hex) => void putReport.run(period, root, salt),
    report(period: number): Reported | undefined {
      const row = getReport.get(period) as { period: number; root: Hex; salt: Hex; revealed: number } | undefined
      return row && { ...row, revealed: row.revealed === 1 }
    },
    setRevealed: (period: number) => void setRevealed.run(period),
    close: () => db.close(),
  }
}
