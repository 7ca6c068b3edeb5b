import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'

/** A folder for the tests of a group, there while they run. What a skipped group makes while it is read stays, for nothing runs after it. */
export function temporaryFolder(name: string): string {
  const folder = join(tmpdir(), `rackfair-${name}-${randomBytes(4).toString('hex')}`)
  beforeAll(() => mkdirSync(folder, { mode: 0o700 }))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
