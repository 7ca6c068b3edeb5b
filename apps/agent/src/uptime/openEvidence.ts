import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import { PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { EVIDENCE_DAYS } from '@rackfair/rules/uptime/reliability'

/** A monitor's signed word that this agent answered for a node in an epoch. */
export interface KeptAcknowledgement {
  epoch: number
  nodeId: bigint
  orderId: bigint
  market: LowerCaseAddress
  monitor: LowerCaseAddress
  signature: string
}

interface AcknowledgementRow extends Omit<KeptAcknowledgement, 'nodeId' | 'orderId'> {
  nodeId: string
  orderId: string
}

/** As many as can monitor: each may ask for a node that it is not drawn for. */
const MAX_PER_EPOCH = 64
/** As many at any pace, so that the file stays as small on a chain that counts faster. */
const KEPT_EPOCHS = (EVIDENCE_DAYS * 86_400) / PRODUCTION_PACE.epochSeconds

export type Evidence = ReturnType<typeof openEvidence>

/** The agent's defence against a false report: acknowledgements of 400 days, in a file of their own. Safe against kill -9. */
export function openEvidence(file: string) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const db = new DatabaseSync(file)
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS acknowledgement (
      epoch INTEGER NOT NULL, nodeId TEXT NOT NULL, monitor TEXT NOT NULL, orderId TEXT NOT NULL, market TEXT NOT NULL,
      signature TEXT NOT NULL, PRIMARY KEY (epoch, nodeId, monitor, orderId)) STRICT, WITHOUT ROWID;`)
  const count = db.prepare('SELECT count(*) AS count FROM acknowledgement WHERE epoch = ? AND nodeId = ?')
  const insert = db.prepare(
    'INSERT OR IGNORE INTO acknowledgement (epoch, nodeId, monitor, orderId, market, signature) VALUES (?, ?, ?, ?, ?, ?)',
  )
  const forget = db.prepare('DELETE FROM acknowledgement WHERE epoch < ?')
  const ofOrder = db.prepare(
    'SELECT * FROM acknowledgement WHERE orderId = ? AND epoch BETWEEN ? AND ? ORDER BY epoch, monitor LIMIT 5000',
  )

  const orders = db.prepare('SELECT DISTINCT orderId, nodeId, market FROM acknowledgement WHERE epoch >= ? LIMIT 1000')

  return {
    /** The orders about which something was acknowledged from an epoch on, at most 1,000. */
    ordersSince: (epoch: number) =>
      (orders.all(epoch) as { orderId: string; nodeId: string; market: LowerCaseAddress }[]).map(
        ({ orderId, nodeId, market }) => ({
          ...{ orderId: BigInt(orderId), nodeId: BigInt(nodeId), market },
        }),
      ),
    /** Stores an acknowledgement with a verified signature; false once this node's epoch has its maximum. */
    keep({ epoch, nodeId, orderId, market, monitor, signature }: KeptAcknowledgement): boolean {
      if ((count.get(epoch, String(nodeId)) as { count: number }).count >= MAX_PER_EPOCH) return false
      insert.run(epoch, String(nodeId), monitor, String(orderId), market, signature)
      forget.run(epoch - KEPT_EPOCHS)
      return true
    },
    /** What is kept of an order, both epochs included, at most 5,000. */
    ofOrder(orderId: bigint, from: number, to: number): KeptAcknowledgement[] {
      return (ofOrder.all(String(orderId), from, to) as unknown as AcknowledgementRow[]).map((row) => ({
        ...row,
        nodeId: BigInt(row.nodeId),
        orderId: BigInt(row.orderId),
      }))
    },
    close: () => db.close(),
  }
}
