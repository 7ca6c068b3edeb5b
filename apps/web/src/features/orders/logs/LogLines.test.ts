import { type LogLine, MAX_LOG_BYTES } from '@rackfair/protocol/logLines'
import { expect, test } from 'vitest'
import { LogLines, MAX_LINES } from './LogLines.ts'
import { contains, LogMatches } from './LogMatches.ts'
import { MAX_SHOWN_CHARACTERS } from './readLine.ts'

const line = (text: string, change: Partial<LogLine> = {}): LogLine => ({
  time: 1_795_000_000_000_000,
  source: 'stdout',
  bytes: new TextEncoder().encode(text),
  more: false,
  cut: false,
  gap: false,
  ...change,
})

test('numbers lines, and counts them by level', () => {
  const log = new LogLines()
  log.append([line('one'), line('WARN two'), line('ERROR three'), line('    at four')])
  expect(log.counts).toEqual({ info: 1, warn: 1, fail: 2 })
  expect(log.lines.map(({ id, level }) => [id, level])).toEqual([
    [0, 'info'],
    [1, 'warn'],
    [2, 'fail'],
    [3, 'fail'],
  ])
  expect(log.lines[0]?.time).toBe(1_795_000_000_000)
})

test('joins a line sent in pieces, unless something is missing between them', () => {
  const log = new LogLines()
  log.append([line('first half, ', { more: true })])
  log.append([line('second half', { cut: true }), line('next')])
  expect(log.lines.map(({ text, cut }) => [text, cut])).toEqual([
    ['first half, second half', true],
    ['next', false],
  ])
  log.append([line('begun ', { more: true }), line('later', { gap: true })])
  expect(log.lines.slice(2).map(({ text, gap }) => [text, gap])).toEqual([
    ['begun ', false],
    ['later', true],
  ])
})

test('keeps lines of several services apart, also where they come in pieces', () => {
  const log = new LogLines()
  const of = (service: string, text: string, change: Partial<LogLine> = {}) => ({ ...line(text, change), service })
  log.append([of('web', 'first ', { more: true }), of('web', 'half'), of('db', 'ERROR lost', { more: true }), of('web', 'next')])
  log.append([of('db', '    at one'), { ...line('started', { source: 'agent' }), service: undefined }])
  expect(log.lines.map(({ service, text, level }) => [service, text, level])).toEqual([
    ['web', 'first half', 'info'],
    ['db', 'ERROR lost', 'fail'],
    ['web', 'next', 'info'],
    ['db', '    at one', 'info'],
    [undefined, 'started', 'info'],
  ])
})

test('drops the oldest of too many lines, and their counts', () => {
  const log = new LogLines()
  log.append([line('ERROR the first')])
  log.append(Array.from({ length: MAX_LINES }, (_, index) => line(`line ${index}`)))
  expect(log.lines.length).toBeLessThanOrEqual(MAX_LINES)
  expect(log.counts).toEqual({ info: log.lines.length, warn: 0, fail: 0 })
  expect(log.lines.at(-1)).toMatchObject({ id: MAX_LINES, text: `line ${MAX_LINES - 1}` })
})

test('drops the oldest lines when they are too long', () => {
  const log = new LogLines()
  const half = line('x'.repeat(MAX_SHOWN_CHARACTERS))
  const lines = [{ ...half, more: true }, half]
  const held = () => log.lines.reduce((sum, { text }) => sum + text.length, 0)
  for (let sent = 0; sent < 1.2 * MAX_LOG_BYTES; sent += 100 * MAX_SHOWN_CHARACTERS)
    log.append(Array.from({ length: 100 }, (_, index) => lines[index % 2] as LogLine))
  expect(held()).toBeLessThanOrEqual(MAX_LOG_BYTES)
  expect(held()).toBeGreaterThan(MAX_LOG_BYTES / 2)
  expect(log.counts).toEqual({ info: log.lines.length, warn: 0, fail: 0 })
})

test('matches each new line once, and drops matches with their lines', () => {
  const log = new LogLines()
  let looked = 0
  const isWanted = contains('Order')
  const matches = new LogMatches((one) => {
    looked += 1
    return isWanted(one)
  })
  log.append([line('order 1'), line('other'), line('ORDER 2')])
  expect(matches.update(log)).toEqual([0, 2])
  log.append([line('order 3')])
  expect(matches.update(log)).toEqual([0, 2, 3])
  expect(matches.update(log)).toBe(matches.ids)
  expect(looked).toBe(4)
  log.append(Array.from({ length: MAX_LINES }, () => line('other')))
  expect(matches.update(log)).toEqual([])
  log.append([line('order 4')])
  expect(matches.update(log)).toEqual([MAX_LINES + 4])
})
