import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const MAX_BYTES = 3_000

test('what runs before the first paint stays small', () => {
  expect(readFileSync(join(import.meta.dirname, '../../public/boot.js')).length).toBeLessThanOrEqual(MAX_BYTES)
})
