import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lengthProblems } from './checkLengths.ts'

const root = mkdtempSync(join(tmpdir(), 'rackfair-lengths-'))
afterAll(() => rmSync(root, { recursive: true }))

const lines = (count: number, line: string) => Array.from({ length: count }, () => line).join('\n')

/** The problems of a tree with one file of this text. */
function problemsOf(name: string, text: string, longer = {}): string[] {
  const folder = join(root, 'apps', 'web')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'other.ts'), 'export const one = 1\n')
  writeFileSync(join(folder, name), text)
  return lengthProblems(root, longer)
}

test.each([
  ['a function', 'long.ts', `function act() {\n${lines(79, 'go()')}\n}\n`, 'act'],
  ['JSX', 'Long.tsx', `export function Long() {\n  return <p>\n${lines(78, '<br />')}\n  </p>\n}\n`, 'Long'],
  [
    'a closure',
    'inner.ts',
    `export function make() {\n  const run = () => {\n${lines(78, 'go()')}\n  }\n  return run\n}\n`,
    'make',
  ],
  ['an arrow', 'arrow.ts', `export const act = async () => {\n${lines(79, '// nothing')}\n}\n`, 'act'],
  ['a method', 'method.ts', `class Box {\n  open() {\n${lines(79, '')}\n  }\n}\n`, 'open'],
])('finds %s of more than 80 lines', (_, name, text, found) => {
  expect(problemsOf(name, text)).toEqual([expect.stringMatching(new RegExp(`^apps/web/${name}:\\d+: ${found}, 8[1-3] lines$`))])
  expect(problemsOf(name, text, { [found]: 83 })).toEqual([])
  expect(problemsOf(name, text, { [found]: 80 })).toHaveLength(1)
})

test.each([
  ['80 lines', 'short.ts', `function act() {\n${lines(78, 'go()')}\n}\n`],
  ['many short functions', 'many.ts', lines(100, 'const go = () => 1')],
  ['tests', 'long.test.ts', `test('all', () => {\n${lines(200, 'go()')}\n})\n`],
])('accepts %s', (_, name, text) => expect(problemsOf(name, text)).toEqual([]))

test('finds what is listed as longer and no longer is', () =>
  expect(problemsOf('short.ts', 'function act() {}\n', { act: 90 })).toEqual([expect.stringContaining('act is short now')]))
