import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres, whyNoPostgres } from '@rackfair/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../platform/src/store/openStore.ts'
import { ROOT } from './readGuide.ts'

const GUIDE = readFileSync(join(ROOT, 'docs/guides/en/operators.md'), 'utf8')
const SUBSCRIBER = { email: 'reader@rackfair.example', locale: 'zh', createdAt: 1_780_000_000 }
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0

describe.skipIf(!has('sqlite3'))('the SQLite commands of the guide (skipped without sqlite3)', () => {
  test('export the newsletter, back it up while the platform has it open, and restore it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-operators-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const store = await openStore({ dataFolder: folder, databaseUrl: undefined })
    await store.db.insertInto('newsletter').values(SUBSCRIBER).execute()
    mkdirSync(join(folder, 'backup'))
    const run = (line: string) =>
      shell(line.replace('/var/lib/rackfair/', `${folder}/`).replace('/backup/', `${folder}/backup/`), {})
    const [backup = '', restoring = '', exporting = ''] = linesOf(GUIDE, 'sqlite3')
    expect(run(exporting)).toBe('email,locale,createdAt\nreader@rackfair.example,zh,1780000000\n')
    run(backup)
    const kept = exporting.replace('/var/lib/rackfair/market.sqlite', join(folder, 'backup', 'market.sqlite'))
    expect(shell(kept, {})).toContain(SUBSCRIBER.email)
    await store.db.deleteFrom('newsletter').execute()
    await store.close()
    run(restoring)
    expect(run(exporting)).toContain(SUBSCRIBER.email)
  })
})

const missing = whyNoPostgres() ?? (has('psql') && has('pg_dump') ? undefined : 'no psql')
describe.skipIf(missing)(`the PostgreSQL commands of the guide${missing ? ` (skipped: ${missing})` : ''}`, () => {
  test('export the newsletter, dump it and restore it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rackfair-operators-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const server = await startPostgres()
    onTestFinished(() => server.stop())
    const databaseUrl = await server.createDatabase()
    const store = await openStore({ dataFolder: folder, databaseUrl })
    await store.db.insertInto('newsletter').values(SUBSCRIBER).execute()
    await store.close()
    const env = { DATABASE_URL: databaseUrl }
    const [exporting = ''] = linesOf(GUIDE, 'psql')
    expect(shell(exporting, env)).toBe('email,locale,createdAt\nreader@rackfair.example,zh,1780000000\n')
    const [dump = ''] = linesOf(GUIDE, 'pg_dump')
    shell(dump.replace('rackfair.dump', join(folder, 'rackfair.dump')), env)
    const restored = await server.createDatabase()
    const [restoring = ''] = linesOf(GUIDE, 'pg_restore')
    shell(restoring.replace('rackfair.dump', join(folder, 'rackfair.dump')), { DATABASE_URL: restored })
    expect(shell(exporting, { DATABASE_URL: restored })).toContain(SUBSCRIBER.email)
  })
})

/** The lines of code blocks that begin with a program. */
function linesOf(text: string, program: string): string[] {
  const blocks = [...text.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '')
  return blocks.flatMap((block) => block.split('\n')).filter((line) => line.startsWith(`${program} `))
}

function shell(line: string, env: Record<string, string>): string {
  const run = spawnSync('sh', ['-c', line], { encoding: 'utf8', env: { ...process.env, ...env } })
  expect(run.status, `${line}: ${run.stderr}`).toBe(0)
  return run.stdout
}
