import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const ROOMS = ['apps', 'packages', 'examples', 'scripts', 'bench']
const NOT_OURS = /^(node_modules|dist|abi|test-results|\..+)$/
const THIS = 'scripts/test/vocabulary.test.ts'

/** The last column of the glossary's table of names in code; what ends in `_` is the beginning of a name. */
function refusedNames(): string[] {
  const [, section = ''] = readFileSync(join(ROOT, 'GLOSSARY.md'), 'utf8').split('## Names in code')
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  return rows.flatMap((row) => [...(row.split('|').at(-2) ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name))
}

/** The quoted phrases of the glossary's first and last table. */
function quoted(table: 'words' | 'phrases'): string[] {
  const sections = readFileSync(join(ROOT, 'GLOSSARY.md'), 'utf8').split('\n## ')
  const section = (table === 'words' ? sections[0] : sections.at(-1)) ?? ''
  const rows = section.split('\n').filter((row) => row.startsWith('| '))
  return rows.flatMap((row) => [...row.matchAll(/"([^"]+)"/g)].map(([, phrase = '']) => phrase))
}

/** Also as a part of a name, as `supplierOf` or `newSupplier`. */
function asWord(word: string): string {
  return `(?<![a-zA-Z])${word}s?(?![a-z])|(?<![A-Z])${word.charAt(0).toUpperCase()}${word.slice(1)}s?(?![a-z])`
}

function sources(folder: string, endings = /\.tsx?$/): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (NOT_OURS.test(entry.name) || path === THIS) return []
    if (entry.isDirectory()) return sources(path, endings)
    return endings.test(entry.name) ? [path] : []
  })
}

test('finds no name in code or file names that the glossary refuses', () => {
  const names = refusedNames()
  expect(names.length).toBeGreaterThan(20)
  const refused = new RegExp(`\\b(${names.map((name) => (name.endsWith('_') ? `${name}\\w*` : name)).join('|')})\\b`)
  const found = ROOMS.flatMap((room) => sources(room)).flatMap((path) => {
    const lines = [path, ...readFileSync(join(ROOT, path), 'utf8').split('\n')]
    return lines.flatMap((line, index) => (refused.test(line) ? [`${path}:${index}: ${refused.exec(line)?.[1]}`] : []))
  })
  expect(found.join('\n')).toBe('')
})

test('finds no word or phrase in code, comments, messages or pages that the glossary refuses', () => {
  const [words, phrases] = [quoted('words'), quoted('phrases')]
  expect(words.length).toBeGreaterThan(8)
  expect(phrases.length).toBeGreaterThan(8)
  const refused = new RegExp(`(${words.map(asWord).join('|')}|\\b(?i:${phrases.join('|')})\\b)`)
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']
  const files = [
    ...pages,
    ...[...ROOMS, 'docs/guides', 'contracts', 'presets'].flatMap((room) => sources(room, /\.(tsx?|md|sol|js|mjs)$/)),
  ]
  const found = files.flatMap((path) => {
    const lines = readFileSync(join(ROOT, path), 'utf8').split('\n')
    return lines.flatMap((line, index) => (refused.test(line) ? [`${path}:${index + 1}: ${refused.exec(line)?.[1]}`] : []))
  })
  expect(found.join('\n')).toBe('')
})

test('names only addresses that exist on the map of the rooms', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')
  const named = [...text.matchAll(/`((?:apps|bench|contracts|docs|examples|packages|presets|scripts)\/[\w./-]+)`/g)].map(
    ([, path = '']) => path,
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
})
