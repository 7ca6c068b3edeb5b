import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXPLAINED_MUTATIONS } from './explainedMutations.ts'
import { judgeMutations } from './judgeMutations.ts'
import { ROOMS } from './mutationRooms.ts'

const root = join(import.meta.dirname, '..', '..')
const room = { name: 'rules', cwd: 'packages/rules', atLeast: 75 }
const mutant = (status: string, replacement = 'true') => ({
  ...{ mutatorName: 'ConditionalExpression', status, replacement },
  location: { start: { line: 2, column: 7 }, end: { line: 2, column: 12 } },
})
const reportOf = (...mutants: ReturnType<typeof mutant>[]) => ({
  files: { 'src/a.ts': { source: 'first\n  if (a > b) return\n', mutants } },
})
const explanation = { file: 'packages/rules/src/a.ts', line: 'if (a > b)', why: 'a is never b' }

it('counts killed and timed-out mutants as noticed, surviving and unrun ones as not', () => {
  const report = reportOf(mutant('Killed'), mutant('Timeout'), mutant('Survived'), mutant('NoCoverage'), mutant('Ignored'))
  const { line, survivors, problem } = judgeMutations(room, report, [])
  expect(line).toBe('rules: 4 mutations, 2 noticed (50.0 %), 2 survived, 0 of them explained')
  expect(survivors).toEqual([
    'packages/rules/src/a.ts:2:7 ConditionalExpression: a > b -> true',
    'packages/rules/src/a.ts:2:7 ConditionalExpression, never run: a > b -> true',
  ])
  expect(problem).toBe('rules: 50.0 % of 4 mutations are noticed, 75 % are wanted')
})

it('hides explained mutants from the list, but still counts them', () => {
  const report = reportOf(mutant('Killed'), mutant('Survived', 'a >= b'))
  const { line, survivors, problem } = judgeMutations(room, report, [{ ...explanation, becomes: 'a >= b' }])
  expect(line).toBe('rules: 2 mutations, 1 noticed (50.0 %), 1 survived, 1 of them explained')
  expect(survivors).toEqual([])
  expect(problem).toContain('50.0 %')
})

it('enforces no floor on a room without a complete run', () => {
  expect(judgeMutations({ name: 'rules', cwd: 'packages/rules' }, reportOf(mutant('Survived')), []).problem).toBeUndefined()
})

it('refuses an explanation that matches no survivor, and an empty run', () => {
  expect(judgeMutations(room, reportOf(mutant('Killed')), [explanation]).problem).toContain('a.ts: if (a > b)')
  expect(
    judgeMutations(room, reportOf(mutant('Survived'), mutant('Killed'), mutant('Killed'), mutant('Killed')), []).problem,
  ).toBe(undefined)
  expect(judgeMutations(room, { files: {} }, []).problem).toContain('nothing was changed')
})

it('ignores explanations of other rooms in the same package', () => {
  const other = { ...explanation, file: 'packages/rules/src/order/b.ts' }
  expect(judgeMutations(room, reportOf(mutant('Killed')), [other]).problem).toBeUndefined()
})

it.each(ROOMS)('finds code and tests of $name', ({ cwd, mutate, tests }) => {
  const found = (globs: readonly string[]) =>
    globSync(
      globs.filter((glob) => !glob.startsWith('!')),
      { cwd: join(root, cwd) },
    )
  expect(found(mutate).length).toBeGreaterThan(0)
  expect(found(tests).length).toBeGreaterThan(0)
})

it.each(EXPLAINED_MUTATIONS)('explains an existing line: $file $line', ({ file, line }) => {
  expect(readFileSync(join(root, file), 'utf8')).toContain(line)
})
