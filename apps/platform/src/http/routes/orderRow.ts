import type { Database } from '../../store/openStore.ts'
import { notFound } from '../notFound.ts'

/** The order of this number; `not_found` where there is none, or none can be. */
export async function orderRow(db: Database, id: string) {
  const known = BigInt(id) < 2n ** 63n
  const row = known ? await db.selectFrom('order').selectAll().where('id', '=', BigInt(id)).executeTakeFirst() : undefined
  return row ?? notFound(`order ${id}`)
}
