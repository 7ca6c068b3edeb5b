import type { Store } from '../store/openStore.ts'
import { applyRange } from './applyRange.ts'
import type { ContractKind } from './decodeLog.ts'
import type { Fold } from './Fold.ts'
import { eventsOf } from './foldEvents.ts'
import type { Leadership } from './Leadership.ts'

/** Folds the stored logs into empty tables, about `logsPerWrite` at a time, without reading from the chain. */
export async function refold(
  store: Store,
  leadership: Leadership,
  kinds: ReadonlyMap<string, ContractKind>,
  logsPerWrite: number,
): Promise<void> {
  let after = -1
  let fold: Fold | undefined
  for (;;) {
    const page = await store.db
      .selectFrom('rawLog')
      .selectAll()
      .where('block', '>', after)
      .orderBy('block')
      .orderBy('logIndex')
      .limit(logsPerWrite)
      .execute()
    const last = page.at(-1)
    if (!last) return
    // A block that the page cuts is left for the next page, unless it fills the page by itself.
    const whole = page.length < logsPerWrite ? page : page.filter((log) => log.block < last.block)
    const logs = whole.length > 0 ? whole : await logsOfBlock(store, last.block)
    const { block, blockHash, blockTime } = logs.at(-1) ?? last
    const range = { head: { number: block, hash: blockHash, time: blockTime }, logs, events: eventsOf(logs, kinds) }
    fold = await applyRange(store, leadership, range, { fold, stored: true })
    after = block
  }
}

function logsOfBlock({ db }: Store, block: number) {
  return db.selectFrom('rawLog').selectAll().where('block', '=', block).orderBy('logIndex').execute()
}
