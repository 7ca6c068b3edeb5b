import { expect, it } from 'vitest'
import { startPostgres, whyNoPostgres } from './startPostgres.ts'

it.skipIf(whyNoPostgres())(
  `starts a cluster, creates databases, survives a restart and cleans up (${whyNoPostgres() ?? 'here'})`,
  async () => {
    const postgres = await startPostgres()
    expect(await postgres.createDatabase()).toMatch(/^postgres:\/\//)
    await postgres.restart()
    expect(await postgres.createDatabase()).toMatch(/_2$/)
    await postgres.stop()
  },
)
