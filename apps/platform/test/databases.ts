import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Postgres, startPostgres, whyNoPostgres } from '@rackfair/testkit'
import { afterAll, beforeAll, describe } from 'vitest'
import type { StoreSettings } from '../src/store/openStore.ts'

export interface Databases {
  kind: 'sqlite' | 'postgres'
  /** Creates a new, empty database. */
  fresh(): Promise<StoreSettings>
  postgres(): Postgres
}

/** Runs the same tests on node:sqlite and on a real PostgreSQL. */
export function onBothDatabases(body: (databases: Databases) => void): void {
  describe('on node:sqlite', () => {
    const folders: string[] = []
    afterAll(() => {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true })
    })
    body({
      kind: 'sqlite',
      async fresh() {
        const dataFolder = mkdtempSync(join(tmpdir(), 'rackfair-store-'))
        folders.push(dataFolder)
        return { dataFolder, databaseUrl: undefined }
      },
      postgres: () => {
        throw new Error('this is SQLite')
      },
    })
  })
  const missing = whyNoPostgres()
  describe.skipIf(missing)(`on PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
    let server: Postgres
    beforeAll(async () => {
      server = await startPostgres()
    })
    afterAll(() => server?.stop())
    body({
      kind: 'postgres',
      fresh: async () => ({ dataFolder: '', databaseUrl: await server.createDatabase() }),
      postgres: () => server,
    })
  })
}
