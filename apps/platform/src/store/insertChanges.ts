import { sql } from 'kysely'
import { insertRows } from './insertRows.ts'
import type { Session } from './openStore.ts'
import type { ChangeTable } from './tables.ts'

export type NewChange = Omit<ChangeTable, 'seq'>
const CHANGE_LOCK = 7_233_986

/**
 * Appends to the feed, inside a transaction. Writers are serialized here, so that sequence numbers become visible in order and a reader
 * that asks for "after n" misses nothing.
 */
export async function insertChanges(session: Session, changes: readonly NewChange[]): Promise<void> {
  if (changes.length === 0) return
  if (session.kind === 'postgres') await sql`select pg_advisory_xact_lock(${CHANGE_LOCK})`.execute(session.db)
  await insertRows(session, 'change', changes)
}
