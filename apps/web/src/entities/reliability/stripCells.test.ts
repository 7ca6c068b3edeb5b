import { expect, it } from 'vitest'
import { stripCells } from './stripCells.ts'

const cellsOf = (path: string) => path.split('z').length - 1
const draw = (days: string) => stripCells(days.padEnd(90, '-'), 24)

it('draws downtime from the top at a visible height, and half a day or more as long', () => {
  const { up, short, long, unseen } = draw('0159')
  expect([up, short, long, unseen].map(cellsOf)).toEqual([4, 1, 2, 86])
  expect(short).toBe('M4 0h3v10h-3z')
  expect(long).toBe('M8 0h3v12h-3zM12 0h3v22h-3z')
  expect(draw('').up).toBe('')
  expect(stripCells('0159'.padEnd(90, '-'), 12, true).short).toBe('M3 0h3v5h-3z')
})
