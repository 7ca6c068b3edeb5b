import { sql } from 'kysely'
import type { Store } from '../store/openStore.ts'
import { checkAgainstChain } from './checkAgainstChain.ts'
import { Indexer, type IndexerNote, type IndexerSettings } from './Indexer.ts'
import { LostLeadership } from './Leadership.ts'
import { reasonOf } from './reasonOf.ts'
import { watchHeads } from './watchHeads.ts'

const STATUS_EVERY_MS = 2_000
const CHECK_EVERY_MS = 3_600_000
const MAX_BACKOFF_MS = 5_000

export interface RunOptions {
  pollMs: number
  wsUrl: string | undefined
  signal: AbortSignal
  /** Called after every commit, so that readers in this process read at once. */
  onCommit: () => void
  onLine: (level: 'info' | 'warn' | 'error', facts: object, message: string) => void
  onDifferences: (count: number) => void
  /** Removes keys from what is logged, and from the public reason of a failure. */
  redact: (text: string) => string
}

/** Follows the chain until the signal aborts: errors are retried, a lost lock is reacquired, nothing is skipped. */
export async function runIndexer(store: Store, settings: IndexerSettings, options: RunOptions): Promise<void> {
  const wake = waker(options.signal)
  const heads = options.wsUrl === undefined ? undefined : watchHeads(options.wsUrl, wake.ring)
  const note = (event: IndexerNote) => {
    options.onCommit()
    if (event.type !== 'applied') options.onLine('warn', event, `indexer: ${event.type}`)
  }
  let indexer = new Indexer(store, settings, note)
  let failures = 0
  let statusAt = 0
  let lastState = ''
  let checkedAt = 0

  while (!options.signal.aborted) {
    let pause = options.pollMs
    let reason = ''
    try {
      const more = await indexer.step()
      failures = 0
      if (more) pause = 0
      if (indexer.state === 'live' && Date.now() - checkedAt > CHECK_EVERY_MS) {
        checkedAt = Date.now()
        const differences = await checkAgainstChain(store, settings, indexer.chain)
        options.onDifferences(differences.length)
        for (const difference of differences) options.onLine('error', difference, 'the store differs from the chain')
      }
    } catch (error) {
      if (error instanceof LostLeadership) {
        await indexer.stop().catch(() => undefined)
        indexer = new Indexer(store, settings, note)
      }
      failures += 1
      reason = options.redact(reasonOf(error)).slice(0, 300)
      pause = Math.min(MAX_BACKOFF_MS, 100 * 2 ** Math.min(failures, 10))
      if (failures === 1 || failures % 20 === 0) options.onLine('warn', { reason, failures }, 'indexer: waiting and trying again')
    }
    const state = failures > 0 ? 'failing' : indexer.state
    if (state !== 'standby' && (state !== lastState || Date.now() - statusAt > STATUS_EVERY_MS)) {
      statusAt = Date.now()
      lastState = state
      await writeStatus(store, state, indexer.head, reason).catch(() => undefined)
      options.onCommit()
    }
    if (pause > 0) await wake.sleep(pause)
  }
  heads?.close()
  await indexer.stop().catch(() => undefined)
}

async function writeStatus(store: Store, state: string, head: number, reason: string): Promise<void> {
  const status = { state, head, seenAt: Date.now(), reason }
  await store.db
    .insertInto('indexerStatus')
    .values({ id: 1, ...status })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(status))
    .execute()
  if (store.kind === 'postgres') await sql`select pg_notify('rackfair_change', '')`.execute(store.db)
}

function waker(signal: AbortSignal) {
  let ring: () => void = () => undefined
  signal.addEventListener('abort', () => ring())
  return {
    ring: () => ring(),
    sleep: (milliseconds: number) =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, signal.aborted ? 0 : milliseconds)
        ring = () => {
          clearTimeout(timer)
          resolve()
        }
      }),
  }
}
