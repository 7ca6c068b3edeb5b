import { describe, expect, it } from 'vitest'
import { wizardStep } from './wizardStep.ts'

describe('the step of the wizard', () => {
  it('is registration until the provider is registered, whatever the URL says', () => {
    expect(wizardStep(undefined, { registered: false, nodes: 0, pledged: false })).toBe(0)
    expect(wizardStep('3', { registered: false, nodes: 0, pledged: false })).toBe(0)
  })
  it('resumes where the work was left', () => {
    expect(wizardStep(undefined, { registered: true, nodes: 0, pledged: false })).toBe(1)
    expect(wizardStep(undefined, { registered: true, nodes: 2, pledged: false })).toBe(2)
    expect(wizardStep(undefined, { registered: true, nodes: 2, pledged: undefined })).toBe(2)
    expect(wizardStep(undefined, { registered: true, nodes: 2, pledged: true })).toBe(3)
  })
  it('is the one in the URL, so that a reload keeps it', () => {
    expect(wizardStep('1', { registered: true, nodes: 2, pledged: false })).toBe(0)
    expect(wizardStep('2', { registered: true, nodes: 2, pledged: false })).toBe(1)
    expect(wizardStep('3', { registered: true, nodes: 0, pledged: false })).toBe(2)
    expect(wizardStep('4', { registered: true, nodes: 2, pledged: false })).toBe(3)
  })
  it('ignores an unknown step in the URL', () => {
    expect(wizardStep('9', { registered: true, nodes: 0, pledged: false })).toBe(1)
    expect(wizardStep('-1', { registered: true, nodes: 1, pledged: false })).toBe(2)
  })
})
