import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, whyNoPostgres } from '@rackfair/testkit'
import type { StoreSettings } from '../../apps/platform/src/store/openStore.ts'

type Fresh = () => Promise<StoreSettings>

/** Runs a measurement on node:sqlite and, if available, on a real PostgreSQL. `fresh` makes another empty database of the same kind. */
export async function onEachDatabase(
  measure: (name: string, settings: StoreSettings, fresh: Fresh) => Promise<void>,
): Promise<void> {
  const folders: string[] = []
  const freshFile = async () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'rackfair-bench-'))
    folders.push(dataFolder)
    return { dataFolder, databaseUrl: undefined }
  }
  await measure('node:sqlite', await freshFile(), freshFile)
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  const missing = whyNoPostgres()
  if (missing) {
    console.log(`PostgreSQL is left out: ${missing}`)
    return
  }
  const postgres = await startPostgres()
  const freshDatabase = async () => ({ dataFolder: '', databaseUrl: await postgres.createDatabase() })
  await measure('PostgreSQL', await freshDatabase(), freshDatabase)
  await postgres.stop()
}
