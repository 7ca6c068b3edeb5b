import { metricNamesOf, runPromtool, whyNoPromtool } from '@rackfair/testkit'
import { describe, expect, it } from 'vitest'
import { createMetrics } from './createMetrics.ts'

const reason = whyNoPromtool()

describe('alert rules and dashboard of the agent', () => {
  it('name only metrics that the agent exports', async () => {
    const metrics = createMetrics({
      ...{
        version: '1',
        provider: '0x',
        data: '/',
        gpus: [],
        platforms: () => [{ platform: 'https://market.example', isConnected: true }],
        uncaught: () => 0,
      },
      ...{ block: async () => 1n, gasWei: async () => 1n, orders: () => [], transactions: () => [], running: () => [] },
      ...{ measure: async () => undefined, readingOf: () => undefined, problemOf: () => undefined },
    })
    const text = await metrics.text()
    const named = metricNamesOf('agent')
    expect(named.length).toBeGreaterThan(15)
    expect(named.filter((name) => !text.includes(`# TYPE ${name} `))).toEqual([])
  })

  it.skipIf(reason)(`fire when they should (${reason ?? 'promtool'})`, () => {
    expect(runPromtool('agent')).toContain('SUCCESS')
  })
})
