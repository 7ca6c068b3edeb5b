// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const HERE = fileURLToPath(new URL('.', import.meta.url))
const UI = fileURLToPath(new URL('../../ui/', import.meta.url))
/** Parts of every page's frame, and parts that render nothing themselves. */
const NOT_TO_SHOW = /^(Toaster|When\w+)\.tsx$/

test('shows every part on the design page', () => {
  const screens = readdirSync(HERE).filter((file) => file.endsWith('.tsx'))
  const text = screens.map((file) => readFileSync(HERE + file, 'utf8')).join('\n')
  const shown = new Set(Array.from(text.matchAll(/ui\/(\w+\.tsx)'/g), ([, file]) => file))
  const parts = readdirSync(UI).filter((file) => /^[A-Z]\w*\.tsx$/.test(file))
  expect(parts.length).toBeGreaterThan(40)
  expect(parts.filter((file) => !shown.has(file) && !NOT_TO_SHOW.test(file))).toEqual([])
})
