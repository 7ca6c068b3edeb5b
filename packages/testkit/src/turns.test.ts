import { expect, it } from 'vitest'
import { whyItRests } from './turns.ts'

const NAMES = ['a provider restarts ten times', 'samples', 'the agent’s package', 'every provider screen', '一']

it('runs each long walk in one of four consecutive seeds', () => {
  for (const name of NAMES)
    for (const first of [0, 1, 259_082_530]) {
      const seeds = [0, 1, 2, 3].map((more) => first + more).map((seed) => whyItRests(name, { RACKFAIR_TURN: String(seed) }))
      expect(seeds.filter((reason) => reason === undefined)).toHaveLength(1)
    }
})

it('spreads the long walks over the seeds', () => {
  const names = Array.from({ length: 300 }, (_, index) => `walk ${index}`)
  const walked = names.filter((name) => whyItRests(name, { RACKFAIR_TURN: '7' }) === undefined)
  expect(walked.length).toBeGreaterThan(50)
  expect(walked.length).toBeLessThan(100)
})

it('runs all of them outside a whole run', () => {
  for (const name of NAMES) expect(whyItRests(name, { RACKFAIR_SEED: '1' })).toBeUndefined()
})
