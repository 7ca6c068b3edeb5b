import { expect, test } from 'vitest'
import { logLine } from './logLine.ts'
import { table, toJson } from './output.ts'

const hostile = 'a\x1b]0;title\x07b\x9b2J\u202e'
const line = { time: 1_700_000_000_123_456, bytes: Buffer.from(`${hostile}\r`), more: false }

test('shows log lines as the web does, with control characters escaped, unless raw bytes are requested', () => {
  expect(logLine(line, {})).toBe('ab\\u{202e}\n')
  expect(logLine(line, { time: true })).toMatch(/^2023-11-14T22:13:20\.123Z a/)
  expect(logLine(line, { raw: true })).toEqual(Buffer.from(`${hostile}\r\n`))
  const shown = (text: string) => logLine({ ...line, bytes: Buffer.from(text) }, {})
  expect(shown('10%\r50%\r100%')).toBe('100%\n')
  expect(shown('\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x1b\\link\x1b]8;;\x1b\\\r\n'.trimEnd())).toBe('red link\n')
  expect(shown('bell\x07 nul\x00')).toBe('bell\\x07 nul\\x00\n')
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
