// @vitest-environment node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { buildEarly } from './vite/early.ts'

const MAX_BOOT_BYTES = 4_000
/** Compressed: all that runs until a public page is complete and live. */
const MAX_BYTES = 5_000

test('keeps the scripts before the first paint and before hydration small', async () => {
  const boot = readFileSync(join(import.meta.dirname, '../../public/boot.js'))
  const { source } = await buildEarly()
  expect(boot.length).toBeLessThanOrEqual(MAX_BOOT_BYTES)
  expect(gzipSync(boot).length + gzipSync(source).length).toBeLessThanOrEqual(MAX_BYTES)
})
