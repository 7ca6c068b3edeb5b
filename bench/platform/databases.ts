import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, whyNoPostgres } from '@rackfair/testkit'
import type { StoreSettings } from '../../apps/platform/src/store/openStore.ts'

/** Runs a measurement on node:sqlite and, if available, on a real PostgreSQL. */
export async function onEachDatabase(measure: (name: string, settings: StoreSettings) => Promise<void>): Promise<void> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rackfair-bench-'))
  await measure('node:sqlite', { dataFolder, databaseUrl: undefined })
  rmSync(dataFolder, { recursive: true, force: true })
  const missing = whyNoPostgres()
  if (missing) {
    console.log(`PostgreSQL is left out: ${missing}`)
    return
  }
  const postgres = await startPostgres()
  await measure('PostgreSQL', { dataFolder: '', databaseUrl: await postgres.createDatabase() })
  await postgres.stop()
}
