import { MAX_DATE_MS } from '@rackfair/rules/limits'
import { expect, test } from 'vitest'
import { readRememberedDeployment } from './events.ts'

const STEP = { phase: 'Running', at: 1_800_000_000_123 }
const KNOWN = { id: 'a', deployId: 7, requestedAt: 1_800_000_000_000, steps: [STEP] }
const stepsOf = (...steps: unknown[]) => readRememberedDeployment({ ...KNOWN, steps })?.steps

test('parses a deployment with its steps and the reason of a failure', () => {
  const failed = { phase: 'Failed', at: MAX_DATE_MS, code: 'image_missing', message: 'no such image' }
  expect(readRememberedDeployment({ ...KNOWN, steps: [STEP, failed], more: 1 })).toEqual({ ...KNOWN, steps: [STEP, failed] })
})

test.each([
  ['nothing', null],
  ['a text', 'Running'],
  ['no id', { ...KNOWN, id: undefined }],
  ['an endless id', { ...KNOWN, id: 'x'.repeat(101) }],
  ['an application that is a text', { ...KNOWN, deployId: '7' }],
  ['a request after the last date', { ...KNOWN, requestedAt: MAX_DATE_MS + 1 }],
  ['a request without a time', { ...KNOWN, requestedAt: null }],
])('%s is not a deployment', (_, json) => expect(readRememberedDeployment(json)).toBeUndefined())

test.each([
  ['a time after the last date', { ...STEP, at: MAX_DATE_MS + 1 }],
  ['a time before 1970', { ...STEP, at: -1 }],
  ['a time that is a text', { ...STEP, at: '1' }],
  ['half a millisecond', { ...STEP, at: 0.5 }],
  ['a phase of another build', { ...STEP, phase: 'Dreaming' }],
  ['a phase of every object', { ...STEP, phase: 'constructor' }],
  ['a phase in a list', { ...STEP, phase: ['Running'] }],
  ['nothing', null],
])('drops a step with %s', (_, step) => expect(stepsOf(STEP, step)).toEqual([STEP]))

test('truncates long lists and texts, and drops texts of another type', () => {
  expect(readRememberedDeployment({ ...KNOWN, steps: 'Running' })?.steps).toEqual([])
  expect(stepsOf(...Array(101).fill(STEP))).toHaveLength(100)
  const long = 'x'.repeat(5000)
  expect(stepsOf({ ...STEP, code: long, message: long })).toEqual([{ ...STEP, code: 'x'.repeat(40), message: 'x'.repeat(1000) }])
  expect(stepsOf({ ...STEP, code: 1, message: {} })).toEqual([STEP])
})
