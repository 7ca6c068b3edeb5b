import { PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import { maintenanceProblem } from '@rackfair/rules/uptime/maintenance'
import { expect, it } from 'vitest'
import { announcedTogether, fromLocalInput, suggestedTimes, toLocalInput } from './maintenanceTimes.ts'

const NOW = 1_796_090_411

it('groups what was announced together, the next first', () => {
  const later = { from: 2000, until: 2600 }
  const sooner = { from: 1000, until: 1600 }
  const planned = [
    { nodeId: 1, ...later },
    { nodeId: 1, ...sooner },
    { nodeId: 2, ...later },
  ]
  expect(announcedTogether(planned)).toEqual([
    { ...sooner, nodeIds: [1] },
    { ...later, nodeIds: [1, 2] },
  ])
})

it.each([PRODUCTION_PACE, { epochSeconds: 20, epochsPerPeriod: 16 }])(
  'suggests times that stay valid for minutes (%j)',
  (pace) => {
    const { from, until } = suggestedTimes(pace, NOW)
    expect([from % 60, until % 60]).toEqual([0, 0])
    expect(until - from).toBeGreaterThanOrEqual(120)
    expect(maintenanceProblem(pace, { nodes: 1, from, until }, NOW + 59)).toBeUndefined()
  },
)

it('formats a time for an input, and parses it', () => {
  const minute = NOW - (NOW % 60)
  expect(toLocalInput(minute)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)
  expect(fromLocalInput(toLocalInput(minute))).toBe(minute)
  expect(fromLocalInput('')).toBeNaN()
})
