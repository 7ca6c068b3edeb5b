import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder for a group of tests, removed after them. What a skipped group creates at import stays, because no hook runs for it. */
export function temporaryFolder(name: string): string {
  const folder = join(tmpdir(), `rackfair-${name}-${randomBytes(4).toString('hex')}`)
  beforeAll(() => mkdirSync(folder, { mode: 0o700 }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
