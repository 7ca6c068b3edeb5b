import { existsSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runCommand } from '../../foundation/runCommand.ts'
import { whyNoContainers } from '../../testing/whyNoContainers.ts'
import { removeEngine } from './removeEngine.ts'

const reason = whyNoContainers()

it.skipIf(reason)(`removes an engine whose storage is mounted, even when busy (${reason ?? 'here'})`, async () => {
  const data = mkdtempSync(join(tmpdir(), 'rackfair-engine-'))
  const run = mkdtempSync(join(tmpdir(), 'rackfair-run-'))
  const storage = join(data, 'storage')
  for (const folder of [storage, join(storage, 'overlay')]) {
    mkdirSync(folder)
    expect((await runCommand('mount', ['-t', 'tmpfs', 'none', folder])).code).toBe(0)
  }
  const working = process.cwd()
  process.chdir(join(storage, 'overlay'))
  try {
    await removeEngine(data, run)
  } finally {
    process.chdir(working)
  }
  expect([data, run].map((folder) => existsSync(folder))).toEqual([false, false])
})
