import { expect, test } from 'vitest'
import { logLine } from './logLine.ts'
import { table, toJson } from './output.ts'

const hostile = 'a\x1b]0;title\x07b\x9b2J\u202e'
const line = { time: 1_700_000_000_123_456, bytes: Buffer.from(`${hostile}\r`), more: false }

test('escapes control characters of log lines unless raw bytes are requested', () => {
  expect(logLine(line, {})).toBe('a\\x1b]0;title\\x07b\\x9b2J\\u{202e}\n')
  expect(logLine(line, { time: true })).toMatch(/^2023-11-14T22:13:20\.123Z a/)
  expect(logLine(line, { raw: true })).toEqual(Buffer.from(`${hostile}\r\n`))
  expect(logLine({ ...line, more: true }, {})).not.toMatch(/\n$/)
  expect(logLine({ ...line, bytes: Uint8Array.of(0xff, 0xfe) }, {})).toBe('\ufffd\ufffd\n')
})

test('keeps table columns aligned with wide characters and hostile names', () => {
  const [head, first, second] = table(
    ['NAME', 'X'],
    [
      ['evil\n\x1b[2J', '1'],
      ['机器', '2'],
    ],
  ).split('\n')
  expect([head, first, second]).toEqual(['NAME          X', 'evil \\x1b[2J  1', '机器          2'])
})

test('prints exact amounts and no control characters in JSON', () => {
  const json = toJson({ feeWei: 10n ** 30n, name: hostile })
  expect(json).toMatch(/^[\x20-\x7e]+$/)
  expect(JSON.parse(json)).toEqual({ feeWei: '1000000000000000000000000000000', name: hostile })
})
