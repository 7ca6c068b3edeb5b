import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRunner } from './runner.ts'
import { runStep } from './runStep.ts'

const KEY = `0x${'12'.repeat(32)}`
const GIVEN = {
  INPUT_COMMAND: 'true',
  'INPUT_MAX-USD': '2',
  INPUT_KEY: KEY,
  INPUT_PURSE: `0x${'ab'.repeat(20)}`,
  // Nothing listens there.
  INPUT_PLATFORM: 'http://127.0.0.1:9',
}

test.each([
  ['command', { INPUT_COMMAND: ' ' }, 'Input required and not supplied: command'],
  ['max-usd', { 'INPUT_MAX-USD': 'two' }, 'max-usd is not an amount'],
  ['files', { INPUT_FILES: '/a=b\nc=d' }, 'c=d is not /path/there=path/here'],
  ['hours', { INPUT_HOURS: '-1' }, 'hours is not a whole number'],
  ['preset', { INPUT_PRESET: 'nothing' }, 'nothing is no application of the catalogue'],
  ['key', { INPUT_KEY: '' }, 'Input required and not supplied: key'],
])('refuses a wrong %s before the market is asked', async (_, wrong, message) => {
  const runner = createRunner({ ...GIVEN, ...wrong }, () => undefined)
  await expect(runStep(runner, () => undefined)).rejects.toThrow(message)
})

test('hides the key before anything can print it', async () => {
  const printed: string[] = []
  const runner = createRunner(GIVEN, (line) => printed.push(line))
  await expect(runStep(runner, () => undefined)).rejects.toMatchObject({ code: 'platform_unreachable' })
  expect(printed).toEqual([`::add-mask::${KEY}`])
})

test('writes outputs and state as the runner reads them, whatever lines a value has', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-action-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const env = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STATE: join(folder, 'state') }
  const printed: string[] = []
  const runner = createRunner(env, (line) => printed.push(line))
  runner.output('cost', '0.01\nkey<<EOF\nforged\nEOF')
  runner.save('purchase', '12')
  const [, end] = /^cost<<(.+)\n/.exec(readFileSync(env.GITHUB_OUTPUT, 'utf8')) ?? []
  expect(readFileSync(env.GITHUB_OUTPUT, 'utf8')).toBe(`cost<<${end}\n0.01\nkey<<EOF\nforged\nEOF\n${end}\n`)
  expect(readFileSync(env.GITHUB_STATE, 'utf8')).toMatch(/^purchase<<(.+)\n12\n\1\n$/)
  runner.fail('100 %\n::set-output::')
  expect(printed).toEqual(['::error::100 %25%0A::set-output::'])
  const resume = runner.stopCommands()
  resume()
  const [, token] = /^::stop-commands::(.+)$/.exec(printed[1] ?? '') ?? []
  expect(printed[2]).toBe(`\n::${token}::`)
})
