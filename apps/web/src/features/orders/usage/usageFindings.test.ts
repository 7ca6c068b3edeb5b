import type { UsageLimits, UsagePoint } from '@rackfair/sdk/workspace'
import { expect, it } from 'vitest'
import { usageFindings } from './usageFindings.ts'

const LIMITS: UsageLimits = { type: 'limits', cores: 8, memoryBytes: 1000, diskBytes: 1000, gpus: [{ model: 'RTX 4090' }] }
const points = (more: Partial<UsagePoint> = {}, count = 30): UsagePoint[] =>
  Array.from({ length: count }, (_, time) => ({
    ...{ time, cores: 4, processes: 2, memoryBytes: 500, diskBytes: 500, receivedPerSecond: 0, sentPerSecond: 0 },
    gpus: [{ usePercent: 60 }],
    ...more,
  }))
const kinds = (more?: Partial<UsagePoint>) => usageFindings(LIMITS, points(more)).map(({ kind }) => kind)

it('says nothing about a short period, and reports spare capacity where nothing stands out', () => {
  expect(usageFindings(LIMITS, points({ memoryBytes: 1000 }, 29))).toEqual([])
  expect(kinds()).toEqual(['room'])
})

it('names what is nearly full, always busy, or bought but unused', () => {
  expect(kinds({ memoryBytes: 900 })).toEqual(['memory_full'])
  expect(kinds({ diskBytes: 999 })).toEqual(['disk_full'])
  expect(kinds({ cores: 8 })).toEqual(['processor_full'])
  expect(kinds({ gpus: [{ usePercent: 0 }] })).toEqual(['gpu_idle'])
  expect(usageFindings(LIMITS, points({ cores: 1.5 }))).toEqual([{ kind: 'processor_idle', highest: 1.5, bought: 8 }])
  expect(kinds({ diskBytes: undefined, gpus: [{}] })).toEqual(['room'])
})

it('names three findings at most, the urgent ones first', () => {
  expect(kinds({ memoryBytes: 1000, diskBytes: 1000, cores: 8, gpus: [{ usePercent: 0 }] })).toEqual([
    'memory_full',
    'disk_full',
    'processor_full',
  ])
})
