import { expect, test } from 'vitest'
import { logLine } from './logLine.ts'
import { servicePrefix } from './servicePrefix.ts'

const line = { time: 0, bytes: Buffer.from('up'), more: false }

test('lines of several services stand under each other, each behind its name', () => {
  const prefix = servicePrefix(['web', 'db'], { isColoured: false })
  expect([prefix('web'), prefix('db'), prefix(undefined), prefix('gone')]).toEqual(['web | ', 'db  | ', '    | ', '    | '])
  expect(logLine(line, { prefix: prefix('db') })).toBe('db  | up\n')
  expect(logLine(line, { prefix: prefix('db'), raw: true }).toString()).toBe('db  | up\n')
})

test('names have colours on a terminal, and no escape sequences of their own', () => {
  const prefix = servicePrefix(['web', '\x1b[2Jdb'], { isColoured: true })
  expect(prefix('web')).toMatch(/web +\| /)
  expect(prefix('web').startsWith('\x1b[36m') && prefix('web').endsWith('\x1b[0m')).toBe(true)
  expect(prefix('\x1b[2Jdb')).not.toContain('\x1b[2J')
  expect(prefix(undefined)).not.toContain('\x1b')
})
