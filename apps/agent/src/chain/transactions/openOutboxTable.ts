import type { DatabaseSync } from 'node:sqlite'
import type { Hex } from 'viem'
import { type OutboxCall, parseCall, serializeCall } from './outboxCalls.ts'

export interface Row {
  key: string
  orderId: string
  call: string
  state: 'wanted' | 'sent' | 'done' | 'failed'
  nonce: number | null
  raw: Hex | null
  hash: Hex | null
  /** Hashes of the same call with the same nonce at lower fees: any of them may still be mined. */
  cheaper: string
  attempts: number
  error: string | null
  updatedAt: number
}

/** Unfinished calls by state: how many, and since when the oldest has been waiting. */
export interface OpenTransactions {
  state: 'wanted' | 'sent' | 'failed'
  count: number
  oldestSeconds: number
}

/** The outbox's calls and their progress, as a table in the agent's database. */
export function openOutboxTable(db: DatabaseSync) {
  const get = db.prepare('SELECT * FROM outbox WHERE key = ?')
  const next = db.prepare(
    "SELECT * FROM outbox WHERE state IN ('sent','wanted') ORDER BY state ASC, key LIKE 'activate%' DESC, updatedAt ASC LIMIT 1",
  )
  const insert = db.prepare(
    `INSERT INTO outbox (key, orderId, call, state, updatedAt) VALUES (?,?,?,'wanted',?)
     ON CONFLICT (key) DO UPDATE SET state = 'wanted', call = excluded.call, nonce = NULL, raw = NULL, hash = NULL, cheaper = '[]', updatedAt = excluded.updatedAt`,
  )
  const sent = db.prepare(
    "UPDATE outbox SET state = 'sent', nonce = ?, raw = ?, hash = ?, attempts = attempts + 1, updatedAt = ? WHERE key = ?",
  )
  const raised = db.prepare(
    'UPDATE outbox SET raw = ?, hash = ?, cheaper = ?, attempts = attempts + 1, updatedAt = ? WHERE key = ?',
  )
  const finish = db.prepare('UPDATE outbox SET state = ?, error = ?, updatedAt = ? WHERE key = ?')
  const supersede = db.prepare("DELETE FROM outbox WHERE state = 'wanted' AND key LIKE ? AND key <> ?")
  const told = db.prepare('SELECT app FROM toldApp WHERE orderId = ?')
  const tell = db.prepare(
    'INSERT INTO toldApp (orderId, app) VALUES (?,?) ON CONFLICT (orderId) DO UPDATE SET app = excluded.app',
  )
  const open = db.prepare(
    "SELECT state, count(*) AS count, min(updatedAt) AS since FROM outbox WHERE state IN ('wanted','sent','failed') GROUP BY state",
  )

  return {
    get: (key: string) => get.get(key) as Row | undefined,
    /** The call in flight, else the next one to send. */
    next: () => next.get() as Row | undefined,
    insert: (key: string, call: OutboxCall) => insert.run(key, String(call.orderId), serializeCall(call), Date.now()),
    sent: (key: string, { nonce, raw, hash }: { nonce: number; raw: Hex; hash: Hex }) =>
      sent.run(nonce, raw, hash, Date.now(), key),
    /** Replaces the bytes by those of the same call with the same nonce at higher fees. */
    raised({ key, hash: before, cheaper }: Row, { raw, hash }: { raw: Hex; hash: Hex }) {
      raised.run(raw, hash, JSON.stringify([before, ...(JSON.parse(cheaper) as Hex[])]), Date.now(), key)
    },
    /** The chain has it. The application is kept first: a crash between the two repeats both. */
    done({ key, call: text }: Row) {
      const call = parseCall(text)
      if ('app' in call) tell.run(String(call.orderId), call.app)
      finish.run('done', null, Date.now(), key)
    },
    fail: (key: string, reason: string) => finish.run('failed', reason.slice(0, 300), Date.now(), key),
    told: (orderId: bigint) => (told.get(String(orderId)) as { app: string } | undefined)?.app,
    /** Deletes calls matching this pattern that were not sent yet, except the one of `key`. */
    supersede: (pattern: string, key: string) => supersede.run(pattern, key),
    open: (): OpenTransactions[] =>
      (open.all() as { state: OpenTransactions['state']; count: number; since: number }[]).map(({ state, count, since }) => ({
        ...{ state, count },
        oldestSeconds: Math.max(0, (Date.now() - since) / 1000),
      })),
  }
}
