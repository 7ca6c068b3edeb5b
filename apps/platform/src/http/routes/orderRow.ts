import type { Database } from '../../store/openStore.ts'
import { notFound } from '../notFound.ts'

/** The order with this id; `not_found` if there is none, or the id is invalid. */
export async function orderRow(db: Database, id: string) {
  const known = BigInt(id) < 2n ** 63n
  const row = known ? await db.selectFrom('order').selectAll().where('id', '=', BigInt(id)).executeTakeFirst() : undefined
  return row ?? notFound(`order ${id}`)
}
