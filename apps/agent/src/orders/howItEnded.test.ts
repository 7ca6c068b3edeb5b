import { expect, it } from 'vitest'
import { howItEnded } from './howItEnded.ts'

it('blames memory only where the engine is sure', () => {
  expect(howItEnded({ exitCode: 137, outOfMemory: true })).toBe('it was ended for using more memory than the node has')
  expect(howItEnded({ exitCode: 137, outOfMemory: false })).toMatch(/^it was killed \(code 137\)/)
  expect(howItEnded({ exitCode: 139, outOfMemory: false })).toBe('it was ended by the signal SIGSEGV (code 139)')
  expect(howItEnded({ exitCode: 1, outOfMemory: false })).toBe('it ended with code 1')
})
