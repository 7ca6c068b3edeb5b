import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createOutputFiles } from './outputFiles.ts'

/** Renames one new file after another over the one that is named, as fast as it can, as the engine's logger does at its limit. */
const LOGGER = `
  const { renameSync, writeFileSync } = require('node:fs')
  const [, file] = process.argv
  for (let count = 0; count < 2_000; count += 1) {
    writeFileSync(file + '.tmp', String(count))
    renameSync(file + '.tmp', file)
    if (count === 0) console.log('begun')
  }
`

it('numbers the files of a logger that renames over them at any moment', async () => {
  const root = mkdtempSync(join(tmpdir(), 'rackfair-output-'))
  const output = createOutputFiles(root)
  const logger = spawn(process.execPath, ['-e', LOGGER, output.prepare(1n)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(logger, 'exit')
  onTestFinished(async () => {
    output.close()
    logger.kill('SIGKILL')
    await ended
    rmSync(root, { recursive: true })
  })
  await once(logger.stdout, 'data')
  const source = output.source(1n)
  let last = 0
  while (logger.exitCode === null) {
    // Without a pause: the reader has to meet the moment of a rename.
    for (let times = 0; times < 1000; times += 1) {
      const { segment } = source.end()
      expect(segment).toBeGreaterThanOrEqual(last)
      last = segment
    }
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(logger.exitCode).toBe(0)
  expect(last).toBeGreaterThan(0)
})
