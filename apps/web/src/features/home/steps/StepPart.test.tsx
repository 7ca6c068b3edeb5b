import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { machinesQuery } from '../homeQueries.ts'
import StepPart from './StepPart.tsx'

const USD = 10n ** 18n
const NOTHING = {
  ...{ cpNumber: 0, nodeGlobal: 0, nodeUsed: 0, nodeOnline: 0, memGlobal: 0, memUsed: 0 },
  ...{ diskGlobal: 0, diskUsed: 0, cpuGlobal: 0, cpuUsed: 0, gpuGlobal: 0, gpuUsed: 0 },
}
const part = (num: number, priceMon: bigint) => ({ num, priceMon: String(priceMon), priceSec: '0' })
const node = nodeAnswer({
  ...{ nodename: 'vm-1', providerName: 'vm', ratePerMonth: String((916n * USD) / 100n) },
  ...{ gpu: { model: '', ...part(0, 0n) }, cpu: { model: 'EPYC', core: 1, ...part(1, 3n * USD) } },
  ...{ mem: part(11, USD / 2n), disk: part(33, USD / 50n) },
})

function show(step: Parameters<typeof StepPart>[0]['step'], items: (typeof node)[]): string {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
  const facets = { gpu: [], cpu: [], idle: 0, online: 0, verified: 0 }
  client.setQueryData(machinesQuery.queryKey, {
    items,
    next: null,
    total: items.length,
    facets,
    histogram: [],
    ignored: [],
    block: 1,
  })
  client.setQueryData(['global'], { global: { ...NOTHING, medianDeployMs: 310 } })
  const { container } = render(
    <QueryClientProvider client={client}>
      <StepPart step={step} />
    </QueryClientProvider>,
  )
  return container.textContent ?? ''
}

test.each([
  ['find', /vm-11 CPU · 11 GB\$0\.0127\/h/],
  ['pay', /Processor1\$3\.00Memory11 GB\$5\.50Storage33 GB\$0\.66Total\$9\.16/],
  ['deploy', /Running in 310 ms/],
  ['leave', /Earned by vm\$0\.012722Back to you if you cancel\$9\.147278/],
] as const)('shows figures of this market for “%s”', (step, figures) => expect(show(step, [node])).toMatch(figures))

test('shows no figures without a machine', () => {
  for (const step of ['find', 'pay', 'leave'] as const) expect(show(step, [])).toBe('')
})
