import { describe, expect, test } from 'vitest'
import { APP_LIMITS } from '../AppSpec.ts'
import type { Path } from './Reading.ts'
import { readYaml } from './readYaml.ts'

describe('the line of a field', () => {
  const { lineOf } = readYaml(`# a comment
a:
  b: 1
  list:
    - x
    -
      y: 2
  "8080": z
---
a: 3

c: 4
`)

  test.each<[string, Path, number]>([
    ['of a key', ['a'], 2],
    ['of a key inside', ['a', 'b'], 3],
    ['of an entry of a list', ['a', 'list', 0], 5],
    ['of an entry that is a map', ['a', 'list', 1], 7],
    ['of a key of an entry', ['a', 'list', 1, 'y'], 7],
    ['of a number as key', ['a', 8080], 8],
    ['is that of the enclosing key where the key is missing', ['a', 'missing'], 2],
    ['is that of the list where the entry is missing', ['a', 'list', 7], 4],
    ['is that of the value where nothing can be inside', ['a', 'b', 'c', 'd'], 3],
    ['is the first of the document where nothing is found', ['missing'], 2],
    ['is the first of the document without a path', [], 2],
  ])('%s', (_, path, line) => expect(lineOf(path)).toBe(line))

  test.each<[Path, number, number | undefined]>([
    [['a'], 1, 10],
    [['c'], 1, 12],
    [[], 1, 10],
    [['a'], 2, undefined],
  ])('counts lines from the start of the text: %j in document %i', (path, document, line) =>
    expect(lineOf(path, document)).toBe(line),
  )
})

describe('a text is refused', () => {
  test.each<[string, string, number | undefined]>([
    ['that is no YAML', 'a: 1\nb: [', 2],
    ['with a key twice', 'a: 1\nb: 2\na: 3', 3],
    ['with a key twice in a later document', 'a: 1\n---\nb: 1\nb: 2', 4],
    ['with a comment right after a value', 'a: 1\nb: "x"#y', 2],
    ['with an unknown tag', 'a: 1\nb: !secret x', 2],
    ['with an anchor that is used', 'a: &x 1\nb: *x', undefined],
    ['with an alias of nothing', 'a: 1\nb: *x', undefined],
    ['with a version to come', '%YAML 9.9\n---\na: 1', 1],
  ])('%s', (_, text, line) =>
    expect(readYaml(text).problems).toStrictEqual([{ field: '', code: 'syntax', ...(line === undefined ? {} : { line }) }]),
  )

  test('once, even with several errors', () =>
    expect(readYaml('a: 1\na: 2\nb: 1\nb: 2').problems).toEqual([{ field: '', code: 'syntax', line: 2 }]))

  test('without using any of its values', () => {
    expect(readYaml('a: 1\na: 2\n---\nb: 1').documents).toEqual([undefined, { b: 1 }])
    expect(readYaml('a: &x 1\nb: *x').documents).toEqual([undefined])
  })
})

describe('the size of a text', () => {
  const limit = APP_LIMITS.bytes

  test('may reach the limit', () => {
    expect(readYaml('a'.repeat(limit))).toMatchObject({ documents: ['a'.repeat(limit)], problems: [] })
    expect(readYaml('é'.repeat(limit / 2)).problems).toEqual([])
  })

  test.each(['a'.repeat(limit + 1), 'é'.repeat(limit / 2 + 1)])('may not exceed the limit, in bytes', (text) => {
    const read = readYaml(text)
    expect(read.documents).toEqual([])
    expect(read.problems).toStrictEqual([{ field: '', code: 'too_large' }])
    expect(read.lineOf([])).toBeUndefined()
  })
})

test.each<[string, unknown[]]>([
  ['', []],
  ['a: 1\n---\nb: 2', [{ a: 1 }, { b: 2 }]],
  ['a: &x 1', [{ a: 1 }]],
  ['<<: {a: 1}', [{ '<<': { a: 1 } }]],
  ['%YAML 1.1\n---\n<<: {a: 1}\nb: yes\nc: 0777', [{ '<<': { a: 1 }, b: 'yes', c: 777 }]],
])('%j has these values by the rules of YAML 1.2', (text, documents) =>
  expect(readYaml(text)).toMatchObject({ documents, problems: [] }),
)
