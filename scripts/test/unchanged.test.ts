import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { Result, Step } from './Step.ts'
import { openPassed } from './unchanged.ts'

const step: Step = { name: 'rules', kind: 'tests', seconds: 1, command: ['vitest'], inputs: ['packages/rules'] }
const result: Result = { name: 'rules', kind: 'tests', passed: 7, failed: 0, skipped: 0, seconds: 1, cpuSeconds: 1, output: '' }

function checkout() {
  const root = mkdtempSync(join(tmpdir(), 'rackfair-steps-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  execFileSync('git', ['init', '-q', root])
  write('.gitignore', '.rackfair/\n')
  write('packages/rules/src/money.ts', '1')
  write('packages/ruleslike.ts', '1')
  mkdirSync(join(root, '.rackfair'))
  return { root, write, open: (how = 'short') => openPassed(root, join(root, '.rackfair/passed.json'), how) }
}

it('recognises a step that passed with the same files', () => {
  const { open, write } = checkout()
  expect(open().before(step)).toBeUndefined()
  open().note(step, result)
  expect(open().before(step)).toBe(7)
  write('packages/ruleslike.ts', '2')
  expect(open().before(step)).toBe(7)
  write('packages/rules/src/money.ts', '2')
  expect(open().before(step)).toBeUndefined()
})

it.each([
  ['a file was added', 'packages/rules/src/new.ts'],
  ['packages changed', 'pnpm-lock.yaml'],
  ['the way steps are run changed', 'scripts/test/steps.ts'],
])('runs it again when %s', (_, path) => {
  const { open, write } = checkout()
  open().note(step, result)
  write(path, 'x')
  expect(open().before(step)).toBeUndefined()
})

it('runs it again with other counts or another command, and always without inputs', () => {
  const { open } = checkout()
  open().note(step, result)
  expect(open('deep').before(step)).toBeUndefined()
  expect(open().before({ ...step, command: ['vitest', '--coverage'] })).toBeUndefined()
  const { inputs: _, ...always } = step
  open().note(always, result)
  expect(open().before(always)).toBeUndefined()
})

it.each([{ failed: 1 }, { skipped: 1 }, { problem: 'exit code 1' }])('runs it again after %o', (what) => {
  const { open } = checkout()
  open().note(step, result)
  open().note(step, { ...result, ...what })
  expect(open().before(step)).toBeUndefined()
})
