import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { createUsageRing, KEPT_SECONDS, RECORD_SECONDS } from './usageRing.ts'

it('returns seven days as one point, their mean', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rackfair-usage-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const ring = createUsageRing(folder)
  const point = { processes: 1, memoryBytes: 1, receivedPerSecond: 0, sentPerSecond: 0, gpus: [] }
  const from = 1_796_090_400
  const to = from + KEPT_SECONDS - RECORD_SECONDS
  for (let time = from; time <= to; time += RECORD_SECONDS)
    ring.write(1n, { ...point, cores: time < from + KEPT_SECONDS / 2 ? 1 : 3, time })
  expect(ring.read(1n, 0, { from, to, points: 1 })).toMatchObject([{ time: to, cores: 2 }])
})
