import { describe, expect, it } from 'vitest'
import { createFormat } from '../../../i18n/format.ts'
import { isFileName, isTooLong, joinPath, lookalikes, nameOf, quotePath, readPath, shownName, trailOf } from './filePaths.ts'
import { fileSize } from './fileSize.ts'

describe('paths', () => {
  it('are joined and split', () => {
    expect(joinPath('/', 'a')).toBe('/a')
    expect(joinPath('/data', 'a b')).toBe('/data/a b')
    expect(trailOf('/data//x/')).toEqual(['/', '/data', '/data/x'])
    expect(nameOf('/data/x/')).toBe('x')
    expect(nameOf('/')).toBe('/')
  })
  it('from the URL are absolute and cannot escape', () => {
    expect(readPath('/data/models')).toBe('/data/models')
    for (const bad of [null, '', 'data', '/data/../etc', '/a\0b', `/${'x'.repeat(5000)}`]) expect(readPath(bad)).toBeUndefined()
  })
  it('are quoted into one shell word', () => {
    expect(quotePath('/data/a.txt')).toBe('/data/a.txt')
    expect(quotePath("/data/it's; rm -rf $HOME")).toBe("'/data/it'\\''s; rm -rf $HOME'")
  })
})

describe('names', () => {
  it('are shown without control characters', () => expect(shownName('in\u202Evoice\u0007\n.exe')).toBe('in·voice··.exe'))
  it('are validated before they are sent', () => {
    for (const good of ['a', '.env', '…', ' x', 'ü'.repeat(127)]) expect(isFileName(good)).toBe(true)
    for (const bad of ['', '.', '..', 'a/b', 'a\0', 'ü'.repeat(128)]) expect(isFileName(bad)).toBe(false)
  })
})

it('formats sizes with one digit where it matters', () => {
  const format = createFormat('en')
  expect([0, 999, 1000, 1500, 393_216, 20e6, 1.25e9, 3e15].map((size) => fileSize(format, size))).toEqual([
    ...['0 B', '999 B', '1 kB', '1.5 kB', '393 kB', '20 MB', '1.3 GB', '3,000 TB'],
  ])
})

describe('names', () => {
  it.each([
    ['a'.repeat(255), false],
    ['a'.repeat(256), true],
    ['ü'.repeat(127), false],
    ['ü'.repeat(140), true],
    ['文'.repeat(85), false],
    ['文'.repeat(86), true],
    ['😀'.repeat(64), true],
  ])('are too long by their bytes', (name, isLong) => expect([isTooLong(name), isFileName(name)]).toEqual([isLong, !isLong]))

  it('that look like another of the folder are those with their accents apart', () => {
    expect([...lookalikes(['caf\u00e9', 'cafe\u0301', 'cafe', 'na\u0308me', 'other'])]).toEqual(['cafe\u0301'])
    expect([...lookalikes(['cafe\u0301'])]).toEqual([])
  })
})
