import { expect, test } from 'vitest'
import type { ShownLine } from './LogLines.ts'
import { cutRows, layRows, placeOfId, placeOfRow, rowOfPlace } from './rows.ts'

const FIRST = 500
const lines = ['', 'x'.repeat(10), 'y'.repeat(25), 'z'].map(
  (text, at): ShownLine => ({
    id: FIRST + at,
    text,
    time: 0,
    service: undefined,
    source: 'stdout',
    level: 'info',
    gap: false,
    cut: false,
  }),
)

test('wraps a text into rows with double-width characters, without losing any', () => {
  expect(cutRows('', 10)).toEqual([''])
  expect(cutRows('x'.repeat(25), 10).map((row) => row.length)).toEqual([10, 10, 5])
  expect(cutRows('订单已经完成', 5)).toEqual(['订单', '已经', '完成'])
  const mixed = `ab订单${'c'.repeat(30)}单`
  expect(cutRows(mixed, 7).join('')).toBe(mixed)
})

test('maps rows to lines and back with wrapping', () => {
  const rows = layRows(lines, undefined, 10)
  expect(rows.count).toBe(6)
  expect(Array.from({ length: 6 }, (_, row) => placeOfRow(rows, row))).toEqual([0, 1, 2, 2, 2, 3])
  expect(rowOfPlace(rows, placeOfId(rows, FIRST + 3))).toBe(5)
})

test('maps a row to each selected line without wrapping', () => {
  const rows = layRows(lines, [FIRST + 1, FIRST + 3], undefined)
  expect([rows.count, placeOfRow(rows, 1), rows.lineAt(1)?.text]).toEqual([2, 1, 'z'])
  expect(placeOfId(rows, FIRST + 2)).toBe(1)
  expect(layRows(lines, [FIRST + 2, FIRST + 3], 10).count).toBe(4)
})
