import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { type Calendar, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { EVIDENCE_DAYS } from '@rackfair/rules/uptime/reliability'
import type { DowntimeReport, KeptAttestation, KeptPromise } from '@rackfair/sdk/uptime'
import type { Hex } from 'viem'

/** What this monitor observed of a node in an epoch. `orderId` is 0 if it was not sold. */
export interface Observation {
  epoch: number
  provider: LowerCaseAddress
  nodeId: bigint
  market: LowerCaseAddress
  orderId: bigint
  isUp: boolean
  /** What the operator signed; undefined if there was no answer. */
  attestation: { beacon: Hex; deployment: Hex; image: Hex; signature: Hex } | undefined
}

/** What this monitor observed of an order in a period, and the provider of its node. */
export type OwnReport = DowntimeReport & { market: LowerCaseAddress; provider: LowerCaseAddress; nodeId: bigint }

/** A report on its way to the chain. */
export interface Reported {
  period: number
  root: Hex
  salt: Hex
}

interface AttestedRow extends Omit<KeptAttestation, 'orderId' | 'promise' | 'monitor'> {
  orderId: string
}

const MIGRATIONS = [
  `CREATE TABLE IF NOT EXISTS observation (
     epoch INTEGER NOT NULL, provider TEXT NOT NULL, nodeId TEXT NOT NULL, market TEXT NOT NULL, orderId TEXT NOT NULL,
     isUp INTEGER NOT NULL, attestation TEXT, PRIMARY KEY (epoch, provider, nodeId)) STRICT, WITHOUT ROWID;
   CREATE TABLE IF NOT EXISTS report (period INTEGER PRIMARY KEY, root TEXT NOT NULL, salt TEXT NOT NULL, revealed INTEGER NOT NULL) STRICT`,
  // Values that a hundred thousand observations have in common are stored once.
  `ALTER TABLE observation ADD COLUMN ran INTEGER;
   ALTER TABLE report DROP COLUMN revealed;
   CREATE INDEX observationOfOrder ON observation (orderId, epoch);
   CREATE TABLE beacon (epoch INTEGER PRIMARY KEY, hash TEXT NOT NULL) STRICT;
   CREATE TABLE ran (id INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, deployment TEXT NOT NULL, image TEXT NOT NULL, UNIQUE (deployment, image)) STRICT;
   CREATE TABLE promise (
     epoch INTEGER NOT NULL, market TEXT NOT NULL, orderId TEXT NOT NULL, deployment TEXT NOT NULL, spec TEXT NOT NULL,
     image TEXT NOT NULL, signature TEXT NOT NULL, PRIMARY KEY (market, orderId, deployment)) STRICT, WITHOUT ROWID`,
]

/** The same number at any pace, so that the file does not grow on a faster chain. */
const KEPT_EPOCHS = (EVIDENCE_DAYS * 86_400) / PRODUCTION_PACE.epochSeconds

export type Observations = ReturnType<typeof openObservations>

/**
 * What a monitor observed in 400 days and what it committed to, in one file. Crash-safe: a salt is on disk before its commitment is sent.
 */
export function openObservations(file: string, calendar: Calendar) {
  const { periodOf, firstEpoch, epochsPerPeriod } = calendar
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file)
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
  const version = (db.prepare('PRAGMA user_version').get() as { user_version: number }).user_version
  for (let next = version; next < MIGRATIONS.length; next += 1)
    db.exec(`BEGIN; ${MIGRATIONS[next]}; PRAGMA user_version = ${next + 1}; COMMIT`)
  const insert = db.prepare(`INSERT INTO observation VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET
    market = excluded.market, orderId = excluded.orderId, isUp = 1, attestation = excluded.attestation, ran = excluded.ran
    WHERE observation.isUp = 0 AND excluded.isUp = 1`)
  const putBeacon = db.prepare('INSERT OR IGNORE INTO beacon VALUES (?, ?)')
  const putRan = db.prepare(
    'INSERT INTO ran (epoch, deployment, image) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET epoch = excluded.epoch RETURNING id',
  )
  const insertPromise = db.prepare('INSERT OR IGNORE INTO promise VALUES (?, ?, ?, ?, ?, ?, ?)')
  const forgetting = ['observation', 'beacon', 'ran', 'promise'].map((table) =>
    db.prepare(`DELETE FROM ${table} WHERE epoch < ?`),
  )
  const allAttested = `SELECT observation.epoch, market, orderId, hash AS beacon, deployment, image, attestation AS signature
    FROM observation JOIN beacon USING (epoch) JOIN ran ON ran.id = observation.ran
    WHERE observation.epoch BETWEEN ? AND ? AND orderId <> '0'`
  const attested = db.prepare(`${allAttested} ORDER BY market, CAST(orderId AS INTEGER), observation.epoch`)
  const attestedOf = db.prepare(`${allAttested} AND market = ? AND orderId = ? ORDER BY observation.epoch`)
  const promised = db.prepare('SELECT spec, image, signature FROM promise WHERE market = ? AND orderId = ? AND deployment = ?')
  const ofPeriod = db.prepare(`SELECT provider, nodeId, market, orderId, epoch, isUp FROM observation
    WHERE epoch BETWEEN ? AND ? AND orderId <> '0' ORDER BY market, CAST(orderId AS INTEGER), epoch`)
  const putReport = db.prepare('INSERT OR IGNORE INTO report VALUES (?, ?, ?)')
  const getReport = db.prepare('SELECT * FROM report WHERE period = ?')

  /** Atomic and durable when it returns. */
  const atOnce = (work: () => void): void => {
    db.exec('BEGIN IMMEDIATE')
    try {
      work()
      db.exec('COMMIT')
    } catch (error) {
      db.exec('ROLLBACK')
      throw error
    }
  }
  return {
    /** Runs several writes as one, with a single sync to disk. */
    atOnce,
    /**
     * Keeps an observation; true if it is what will be reported. A node that was seen up in an epoch stays up: it may have been
     * acknowledged. What arrives after its period was reported is dropped: the root would not match it.
     */
    put({ epoch, provider, nodeId, market, orderId, isUp, attestation }: Observation): boolean {
      if (getReport.get(periodOf(epoch))) return false
      const key = [epoch, provider, String(nodeId)] as const
      if (attestation) putBeacon.run(epoch, attestation.beacon)
      const ran = attestation ? (putRan.get(epoch, attestation.deployment, attestation.image) as { id: number }).id : null
      return insert.run(...key, market, String(orderId), isUp ? 1 : 0, attestation?.signature ?? null, ran).changes > 0
    },
    /** Keeps the first promise of a deployment: a later one does not replace it. */
    putPromise({ market, orderId, deployment, spec, image, signature }: KeptPromise, epoch: number): void {
      insertPromise.run(epoch, market, String(orderId), deployment, spec, image, signature)
    },
    /** What operators attested in a period for the running orders, or for one, with their promises. */
    attested(period: number, of?: { market: LowerCaseAddress; orderId: bigint }): Omit<KeptAttestation, 'monitor'>[] {
      const first = firstEpoch(period)
      const last = first + epochsPerPeriod - 1
      const rows = of ? attestedOf.all(first, last, of.market, String(of.orderId)) : attested.all(first, last)
      return (rows as unknown as AttestedRow[]).map(({ market, orderId, deployment, ...row }) => {
        const promise = promised.get(market, orderId, deployment) as Pick<KeptPromise, 'spec' | 'image' | 'signature'> | undefined
        return { ...row, market, orderId: BigInt(orderId), deployment, promise }
      })
    },
    forgetBefore(epoch: number): void {
      atOnce(() => {
        for (const forget of forgetting) forget.run(epoch - KEPT_EPOCHS)
      })
    },
    /** What it observed of every order in a period, always in the same order. */
    reports(period: number): OwnReport[] {
      const first = firstEpoch(period)
      const rows = ofPeriod.all(first, first + epochsPerPeriod - 1) as {
        provider: LowerCaseAddress
        nodeId: string
        market: LowerCaseAddress
        orderId: string
        epoch: number
        isUp: number
      }[]
      const reports = new Map<string, OwnReport>()
      for (const { provider, nodeId, market, orderId, epoch, isUp } of rows) {
        if (periodOf(epoch) !== period) continue
        const key = `${market} ${orderId}`
        const fresh = {
          provider,
          nodeId: BigInt(nodeId),
          market,
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
    /** Keeps the first root of a period for good: a later one would not match its commitment. */
    putReport: (period: number, root: Hex, salt: Hex) => void putReport.run(period, root, salt),
    report(period: number): Reported | undefined {
      return getReport.get(period) as Reported | undefined
    },
    close: () => db.close(),
  }
}
