import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { putInPlace } from './buildOnce.ts'

test('keeps the first build of an app that two markets build at once, and lets both use it', () => {
  const dir = mkdtempSync(join(tmpdir(), 'rackfair-build-'))
  onTestFinished(() => rmSync(dir, { recursive: true }))
  const folder = join(dir, 'build')
  for (const name of ['first', 'second']) {
    mkdirSync(join(dir, name))
    writeFileSync(join(dir, name, 'index.html'), name)
    putInPlace(join(dir, name), folder)
    expect(existsSync(join(dir, name))).toBe(false)
  }
  expect(readFileSync(join(folder, 'index.html'), 'utf8')).toBe('first')
})
