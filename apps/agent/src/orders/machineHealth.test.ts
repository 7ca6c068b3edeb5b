import { AppError } from '@rackfair/rules/errors/AppError'
import { expect, it } from 'vitest'
import { createMachineHealth } from './createMachineHealth.ts'
import { isMachineFault } from './machineFault.ts'

const AWAY_MS = 40

it.each<[code: string, facts: { machine?: boolean }, ofPreset: boolean, ofOwn: boolean]>([
  // What an application does, or an image is.
  ['start_failed', {}, false, false],
  ['start_timeout', {}, false, false],
  ['job_failed', {}, false, false],
  ['image_not_found', {}, false, false],
  ['image_too_large', {}, false, false],
  ['image_architecture', {}, false, false],
  ['registry_denied', {}, false, false],
  ['registry_unreachable', {}, false, false],
  ['secrets_unreadable', {}, false, false],
  ['agent_busy', {}, false, false],
  // An image of the catalogue is the provider's to have; how an engine fails on a stranger's image may be up to that image.
  ['image_missing', {}, true, false],
  ['engine_unavailable', {}, true, false],
  ['isolation_unavailable', {}, true, false],
  ['disk_full', {}, true, false],
  // What no image can bring about.
  ['gpu_unavailable', {}, true, true],
  ['disk_full', { machine: true }, true, true],
  ['start_failed', { machine: true }, true, true],
])('tells what a provider answers for: %s %o', (code, facts, ofPreset, ofOwn) => {
  const error = new AppError(code, '', { facts })
  expect([isMachineFault(error, 'preset'), isMachineFault(error, 'own')]).toEqual([ofPreset, ofOwn])
})

function setup() {
  const facts = new Map<string, string>()
  const state = {
    fact: (key: string) => facts.get(key),
    putFact: (key: string, value: string) => ({ changes: facts.set(key, value).size, lastInsertRowid: 0 }),
  }
  return () => createMachineHealth({ state, times: { engineAwayMs: AWAY_MS } })
}

it('fails every order while the walls are down, whatever still runs', () => {
  const health = setup()()
  health.checked(new AppError('isolation_unavailable', 'no firewall'))
  expect([health.isWell(1n, 'd1', true), health.isWell(2n, undefined, false)]).toEqual([false, false])
  health.checked(undefined)
  expect([health.isWell(1n, 'd1', true), health.isWell(2n, undefined, false)]).toEqual([true, true])
})

it('fails what does not run while the engine is away, and what runs once that lasts', async () => {
  const health = setup()()
  const away = new AppError('engine_unavailable', 'no engine')
  health.checked(away)
  expect([health.isWell(1n, 'd1', true), health.isWell(1n, 'd1', false)]).toEqual([true, false])
  await expect
    .poll(
      () => {
        health.checked(away)
        return health.isWell(1n, 'd1', true)
      },
      { interval: 5 },
    )
    .toBe(false)
  health.checked(undefined)
  expect(health.isWell(1n, 'd1', false)).toBe(true)
})

it('remembers over a restart which deployment the machine fails to run, until the next one', () => {
  const start = setup()
  start().note(1n, 'd1')
  const health = start()
  expect([health.isWell(1n, 'd1', false), health.isWell(1n, 'd2', false), health.isWell(2n, 'd1', false)]).toEqual([
    false,
    true,
    true,
  ])
  health.note(1n, undefined)
  expect(start().isWell(1n, 'd1', false)).toBe(true)
})
