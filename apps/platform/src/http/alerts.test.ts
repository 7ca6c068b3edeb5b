import { metricNamesOf, runPromtool, whyNoPromtool } from '@rackfair/testkit'
import { describe, expect, it } from 'vitest'
import { createMetrics } from './Metrics.ts'

const reason = whyNoPromtool()

describe('alert rules and dashboard of the platform', () => {
  it('name only metrics that the platform exports', async () => {
    const text = await createMetrics().registry.metrics()
    const named = metricNamesOf('platform')
    expect(named.length).toBeGreaterThan(10)
    expect(named.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
  })

  it.skipIf(reason)(`fire when they should (${reason ?? 'promtool'})`, () => {
    expect(runPromtool('platform')).toContain('SUCCESS')
  })
})
