import { describe, expect, it } from 'vitest'
import { wizardStep } from './wizardStep.ts'

describe('the step of the wizard', () => {
  it('is registering until the provider is registered, whatever the address says', () => {
    expect(wizardStep(undefined, { registered: false, nodes: 0 })).toBe(0)
    expect(wizardStep('3', { registered: false, nodes: 0 })).toBe(0)
  })
  it('is taken up where the work was left', () => {
    expect(wizardStep(undefined, { registered: true, nodes: 0 })).toBe(1)
    expect(wizardStep(undefined, { registered: true, nodes: 2 })).toBe(2)
  })
  it('is the one in the address, so that a reload stays', () => {
    expect(wizardStep('1', { registered: true, nodes: 2 })).toBe(0)
    expect(wizardStep('2', { registered: true, nodes: 2 })).toBe(1)
    expect(wizardStep('3', { registered: true, nodes: 0 })).toBe(2)
  })
  it('ignores an address that names no step', () => {
    expect(wizardStep('9', { registered: true, nodes: 0 })).toBe(1)
    expect(wizardStep('-1', { registered: true, nodes: 1 })).toBe(2)
  })
})
