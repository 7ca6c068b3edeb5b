import { expect, it } from 'vitest'
import { PRODUCTION_PACE } from './epoch.ts'
import { earliestMaintenance, maintenanceEpochs, maintenanceMonth, maintenanceNotice, maintenanceProblem } from './maintenance.ts'

const EPOCH = 300
const PERIOD = 96 * EPOCH
const MONTH = 90 * PERIOD
const NOW = 700 * MONTH
const EARLIEST = NOW + 3 * PERIOD

it('counts in whole epochs, months from Unix time 0, and a notice of a day', () => {
  expect(maintenanceEpochs(PRODUCTION_PACE, { from: 600, until: 1200 })).toEqual({ firstEpoch: 2, epochs: 2 })
  expect(maintenanceEpochs(PRODUCTION_PACE, { from: 599, until: 1201 })).toEqual({ firstEpoch: 1, epochs: 4 })
  expect(maintenanceMonth(PRODUCTION_PACE, NOW + 1)).toEqual({ from: NOW, until: NOW + MONTH })
  expect(maintenanceMonth(PRODUCTION_PACE, NOW - 1)).toEqual({ from: NOW - MONTH, until: NOW })
  expect([maintenanceNotice(PRODUCTION_PACE), earliestMaintenance(PRODUCTION_PACE, NOW)]).toEqual([86_400, EARLIEST])
})

const wish = { nodes: 1, from: EARLIEST, until: EARLIEST + EPOCH }

it.each([
  ['of no node', { nodes: 0 }, { code: 'no_nodes' }],
  ['of as many nodes as an announcement takes', { nodes: 50 }, undefined],
  ['of one more', { nodes: 51 }, { code: 'too_many_nodes' }],
  ['that ends when it begins', { until: EARLIEST }, { code: 'ends_first' }],
  ['without an end', { until: Number.NaN }, { code: 'ends_first' }],
  ['of a second', { until: EARLIEST + 1 }, undefined],
  ['of a period', { until: EARLIEST + PERIOD }, undefined],
  ['of a second more', { until: EARLIEST + PERIOD + 1 }, { code: 'too_long', maxSeconds: PERIOD }],
  ['within a day', { from: EARLIEST - 1 }, { code: 'too_soon', earliest: EARLIEST }],
  ['that begins in 30 days', { from: NOW + MONTH, until: NOW + MONTH + 1 }, undefined],
  ['that begins later', { from: NOW + MONTH + EPOCH, until: NOW + MONTH + EPOCH + 1 }, { code: 'too_far', latest: NOW + MONTH }],
  ['up to the end of a month', { from: NOW + MONTH - EPOCH, until: NOW + MONTH }, undefined],
  ['over the end of a month', { from: NOW + MONTH - EPOCH, until: NOW + MONTH + 1 }, { code: 'over_month', border: NOW + MONTH }],
])('reports what is wrong with maintenance %s', (_, change, problem) => {
  expect(maintenanceProblem(PRODUCTION_PACE, { ...wish, ...change }, NOW)).toEqual(problem)
})
