import type { NodeListItem } from '@rackfair/core/wire'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { machinesQuery } from '../homeQueries.ts'
import StepPart from './StepPart.tsx'

afterEach(cleanup)

const USD = 10n ** 18n
const part = (num: number, priceMon: bigint) => ({ num, priceMon: String(priceMon), priceSec: '0' })
const node = {
  ...{ id: 1, cp: '0xbb', nodename: 'vm-1', providerName: 'vm', sold: false, ratePerMonth: String((916n * USD) / 100n) },
  ...{ gpu: { model: '', ...part(0, 0n) }, cpu: { model: 'EPYC', core: 1, ...part(1, 3n * USD) } },
  ...{ mem: part(11, USD / 2n), disk: part(33, USD / 50n) },
} as unknown as NodeListItem

function show(step: Parameters<typeof StepPart>[0]['step'], items: NodeListItem[]): string {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
  client.setQueryData(machinesQuery.queryKey, { items } as never)
  client.setQueryData(['global'], { global: { medianDeployMs: 310 } })
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
] as const)('the part of “%s” shows figures of this market', (step, figures) => expect(show(step, [node])).toMatch(figures))

test('without a machine the parts wait and name no figure', () => {
  for (const step of ['find', 'pay', 'leave'] as const) expect(show(step, [])).toBe('')
})
