import { metricNamesOf, runPromtool, whyNoPromtool } from '@rackfair/testkit'
import { describe, expect, it } from 'vitest'
import { createMetrics } from './createMetrics.ts'

const reason = whyNoPromtool()

describe('alert rules and dashboard of the monitor', () => {
  it('name only metrics that the monitor exports', async () => {
    const text = await createMetrics().text()
    const named = metricNamesOf('monitor')
    expect(named).toHaveLength(6)
    expect(named.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
  })

  it('find every counter that they use from the start', async () => {
    const text = await createMetrics().text()
    for (const call of ['commit', 'reveal']) expect(text).toContain(`_transactions_total{call="${call}",status="success"} 0`)
    for (const result of ['up', 'down']) expect(text).toContain(`_observations_total{result="${result}"} 0`)
    for (const step of ['observe', 'report', 'hardware']) expect(text).toContain(`_failures_total{step="${step}"} 0`)
  })

  it.skipIf(reason)(`fire when they should (${reason ?? 'promtool'})`, () => {
    expect(runPromtool('monitor')).toContain('SUCCESS')
  })
})
