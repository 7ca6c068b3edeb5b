import { AGENT_CODES } from '@rackfair/rules/errors/errorCodes'
import type { PresetSetting } from '@rackfair/rules/presets'
import { describe, expect, test } from 'vitest'
import { environmentProblem, environmentToSend } from '../../entities/deployment/environmentFields.ts'
import { deploymentSteps } from './deploymentSteps.ts'
import { en } from './messages.en.ts'
import { nextStep } from './nextStep.ts'

describe('steps', () => {
  const states = (deployId: number, phase: never, steps: { phase: string; at: number; code?: string }[]) =>
    deploymentSteps({ deployId, phase, steps: steps as never }).map((step) => `${step.phase} ${step.state}`)
  test('are done, current or pending', () =>
    expect(
      states(2, 'Pulling' as never, [
        { phase: 'Accepted', at: 1 },
        { phase: 'Pulling', at: 2 },
      ]),
    ).toEqual(['Accepted done', 'Pulling now', 'Creating next', 'Starting next', 'Running next']))
  test('stand once, where they were taken last', () => {
    const again = ['Queued', 'Accepted', 'Accepted', 'Pulling', 'Accepted', 'Pulling', 'Failed']
    expect(
      states(
        2,
        'Failed' as never,
        again.map((phase, at) => ({ phase, at })),
      ),
    ).toEqual(['Queued done', 'Accepted done', 'Pulling done', 'Failed failed'])
    const restarted = ['Starting', 'Running', 'Degraded', 'Running']
    expect(
      states(
        2,
        'Running' as never,
        restarted.map((phase, at) => ({ phase, at })),
      ),
    ).toEqual(['Starting done', 'Degraded failed', 'Running done'])
  })
  test('end with running', () =>
    expect(
      states(2, 'Running' as never, [
        { phase: 'Starting', at: 1 },
        { phase: 'Running', at: 2 },
      ]),
    ).toEqual(['Starting done', 'Running done']))
  test('end with a failure too', () =>
    expect(
      states(2, 'Failed' as never, [
        { phase: 'Starting', at: 1 },
        { phase: 'Failed', at: 2, code: 'start_timeout' },
      ]),
    ).toEqual(['Starting done', 'Failed failed']))
  test('differ for a clean', () =>
    expect(states(0, 'Accepted' as never, [{ phase: 'Accepted', at: 1 }])).toEqual([
      'Accepted now',
      'Cleaning next',
      'Cleaned next',
    ]))
})

describe('settings', () => {
  const rule = { name: 'PAGE_TITLE', label: { en: '', zh: '' }, default: '', pattern: '[a-z ]{0,5}', maxLength: 5, secret: false }
  test('are checked like by the agent', () => {
    expect(environmentProblem(rule, 'abc')).toBeUndefined()
    expect(environmentProblem(rule, 'abc1')).toBe('form')
    expect(environmentProblem(rule, 'abcdef')).toBe('too_long')
  })
  test('are not sent from an untouched form', () => {
    const rules: PresetSetting[] = [rule, { ...rule, name: 'COLOR', default: 'red' }]
    expect(environmentToSend(rules, { PAGE_TITLE: '', COLOR: 'red' })).toEqual({})
    expect(environmentToSend(rules, { PAGE_TITLE: 'hi', COLOR: 'red' })).toEqual({ PAGE_TITLE: 'hi' })
    expect(environmentToSend(rules, { COLOR: '' })).toEqual({ COLOR: '' })
  })
})

test('has a next step for every code of an agent', () => {
  for (const code of AGENT_CODES) expect(nextStep(code)).toBeTruthy()
  expect(nextStep('env_not_allowed')).toBe('values')
  expect(nextStep(undefined)).toBe('again')
})

test('names no cause in what to do next: the sentence before it has named the one', () => {
  for (const words of [en.next.wait, en.next.again, en.next.values]) expect(words).not.toMatch(/busy|cannot|reached/)
  for (const code of ['registry_unreachable', 'chain_unreachable', 'provider_offline', 'agent_busy', 'deploy_timeout'])
    expect(nextStep(code)).toBe('wait')
  expect(nextStep('app_malformed')).toBe('values')
})
