import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** A folder for the tests of a group, gone after them. A group that is skipped is read all the same, and runs nothing afterwards: it has none. */
export function temporaryFolder(name: string, isSkipped: boolean): string {
  if (isSkipped) return join(tmpdir(), `rackfair-${name}`)
  const folder = mkdtempSync(join(tmpdir(), `rackfair-${name}-`))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
