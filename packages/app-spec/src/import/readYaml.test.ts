import { describe, expect, test } from 'vitest'
import { APP_LIMITS } from '../AppSpec.ts'
import type { Path } from './paths.ts'
import { Plain } from './plain.ts'
import { readYaml } from './readYaml.ts'
import { YAML_LIMITS } from './yamlDepth.ts'

/** The same values with what is neither map, list nor string as its text. */
const texts = (value: unknown): unknown => {
  if (value instanceof Plain) return value.text
  if (Array.isArray(value)) return value.map(texts)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, texts(one)]))
}
const read = (text: string) => {
  const { documents, problems } = readYaml(text)
  return { documents: documents.map(texts), problems }
}

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
    ['with an alias of nothing', 'a: 1\nb: *x', 2],
    ['with an alias that stands before its anchor', 'a: *x\nb: &x 1', 1],
    ['with a merge of no map', 'a: 1\nb:\n  <<: [1]', 3],
    ['with two merges', 'a: &a {}\nb:\n  <<: *a\n  <<: *a', 4],
    ['with a map as a key', 'a: 1\n{b: c}: d', 2],
    ['with a version to come', '%YAML 9.9\n---\na: 1', 1],
  ])('%s', (_, text, line) =>
    expect(readYaml(text).problems).toStrictEqual([{ field: '', code: 'syntax', ...(line === undefined ? {} : { line }) }]),
  )

  test('once, even with several errors', () =>
    expect(readYaml('a: 1\na: 2\nb: 1\nb: 2').problems).toEqual([{ field: '', code: 'syntax', line: 2 }]))

  test('without using any of its values', () => {
    expect(read('a: 1\na: 2\n---\nb: 1').documents).toEqual([undefined, { b: '1' }])
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
  ['a: 1\n---\nb: 2', [{ a: '1' }, { b: '2' }]],
  ['a: &x 1', [{ a: '1' }]],
  ['a: &x {b: [1, c]}\nd: *x', [{ a: { b: ['1', 'c'] }, d: { b: ['1', 'c'] } }]],
  ['a: &x 1\nb: &x 2\nc: *x', [{ a: '1', b: '2', c: '2' }]],
  ['&k a: 1\nb: {*k : 2}', [{ a: '1', b: { a: '2' } }]],
  ['<<: {a: 1}', [{ a: '1' }]],
  ['"<<": {a: 1}', [{ '<<': { a: '1' } }]],
  ['a: &x {b: 1, c: 2}\nd: {c: 3, <<: *x}', [{ a: { b: '1', c: '2' }, d: { b: '1', c: '3' } }]],
  ['a: &x {b: 1}\nd: &y {b: 2, e: 3}\nf: {<<: [*x, *y]}', [{ a: { b: '1' }, d: { b: '2', e: '3' }, f: { b: '1', e: '3' } }]],
  ['8080: a\ntrue: b\n1.0: c', [{ 8080: 'a', true: 'b', '1.0': 'c' }]],
  ['__proto__: {a: 1}', [Object.fromEntries([['__proto__', { a: '1' }]])]],
  ['%YAML 1.1\n---\n<<: {a: 1}\nb: yes\nc: 0777', [{ a: '1', b: 'yes', c: '0777' }]],
])('%j has these values by the rules of YAML 1.2, and merges', (text, documents) =>
  expect(read(text)).toEqual({ documents, problems: [] }),
)

test('the lines of what is merged or repeated are those where it stands', () => {
  const { lineOf } = readYaml('x: &x\n  a: 1\n  b: 2\ny:\n  <<: *x\n  b: 3\nz: *x\n')
  expect(lineOf(['y', 'a'])).toBe(2)
  expect(lineOf(['y', 'b'])).toBe(6)
  expect(lineOf(['z'])).toBe(7)
  expect(lineOf(['z', 'b'])).toBe(3)
})

/** Of the processor: the clock goes on while other work has it. Without limits it would be minutes. */
const MAX_MS = 5000

describe('what would grow without end is refused in little time:', () => {
  const lines = (count: number, line: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => line(index)).join('\n')

  test.each<[string, string, number]>([
    ['lists in lists', `a: ${'['.repeat(60_000)}`, 1],
    ['lists in lists that are closed', `a:\n ${'['.repeat(30_000)}${']'.repeat(30_000)}`, 2],
    ['maps in maps', '{a: '.repeat(15_000), 1],
    ['entries in entries', `${'- '.repeat(30_000)}x`, 1],
    ['keys in keys', `${'? '.repeat(30_000)}x`, 1],
    ['blocks in blocks', lines(300, (index) => `${' '.repeat(index)}a:`), 65],
    ['documents', '---\n'.repeat(16_000), 65],
    [
      'aliases of aliases',
      `a0: &a0 [x, x, x, x, x, x, x, x, x]\n${lines(12, (index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(9)}]`)}`,
      5,
    ],
    [
      'merges of merges',
      `a0: &a0 {${lines(90, (index) => ` k${index}: v,`)}}\n${lines(3000, (index) => `a${index + 1}: {<<: *a0}`)}`,
      0,
    ],
    ['an alias of itself', 'a: &a [*a]', 1],
    ['a long text, many times', `a: &a ${'x'.repeat(20_000)}\nb: [${'*a, '.repeat(200)}]`, 2],
    ['many aliases', `a: &a 1\nb: [${'*a, '.repeat(15_000)}]`, -1],
    ['many anchors', lines(5000, (index) => `- &a${index} x`), -1],
    ['many keys', lines(6000, (index) => `k${index}: 1`), -1],
  ])('%s', (_, text, line) => {
    const before = process.cpuUsage()
    const { problems } = readYaml(text)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1000).toBeLessThan(MAX_MS)
    if (line >= 0) expect(problems).toMatchObject([{ code: 'too_large', ...(line > 0 ? { line } : {}) }])
    else expect(problems).toEqual([])
  })

  test('but not what is as deep as the limit', () => {
    const depth = YAML_LIMITS.depth - 1
    expect(readYaml(`${'['.repeat(depth)}${']'.repeat(depth)}`).problems).toEqual([])
    expect(
      readYaml(`a: "${'['.repeat(500)}"\nb: |\n  ${'{'.repeat(500)}\nc: a${'['.repeat(500)}\n# ${'['.repeat(500)}`).problems,
    ).toEqual([])
  })
})
