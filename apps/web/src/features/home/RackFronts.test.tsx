import type { NodeListItem, RackSlot } from '@rackfair/core/wire'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { CostToday } from './CostToday.tsx'
import { RackFronts } from './RackFronts.tsx'

afterEach(cleanup)

const USD = 10n ** 18n
const slot: RackSlot = {
  ...{ cp: '0x00000000000000000000000000000000000000bb', id: 1, nodename: 'vm-1', gpu: '', nGPU: 0, cpu: 'EPYC', nCPU: 1 },
  ...{ mem: 11, disk: 33, state: 'idle', ratePerMonth: String((916n * USD) / 100n), unitRate: '0', medianUnitRate: null },
}

test('two machines are two fronts that lead to the list, and the bay below them to becoming a provider', () => {
  render(<RackFronts machines={[slot, { ...slot, id: 2, nodename: 'vm-2', state: 'running', nGPU: 2, gpu: 'RTX 4090' }]} />)
  const fronts = screen.getAllByRole('listitem')
  expect(fronts).toHaveLength(2)
  expect(fronts[0]?.textContent).toMatch(/vm-1Idling\$9\.16.*1 CPU.*11 GB memory.*33 GB disk/)
  expect(fronts[1]?.textContent).toMatch(/vm-2Running.*2 × RTX 4090/)
  expect(screen.getByRole('link', { name: /^vm-2, Running/ }).getAttribute('href')).toBe('/nodelist?text=vm-2')
  expect(screen.getByRole('link', { name: 'Become a provider' }).getAttribute('href')).toBe('/addprovider')
})

test('where nobody offers a GPU, the price of a machine is taken apart, and the GPUs are one sentence', () => {
  const part = (num: number, priceMon: bigint) => ({ num, priceMon: String(priceMon), priceSec: '0' })
  const node = {
    ...{
      id: 1,
      cp: slot.cp,
      nodename: 'vm-1',
      gpu: { model: '', ...part(0, 0n) },
      cpu: { model: 'EPYC', core: 1, ...part(1, 3n * USD) },
    },
    ...{ mem: part(11, USD / 2n), disk: part(33, USD / 50n) },
  } as unknown as NodeListItem
  const { container } = render(<CostToday node={node} />)
  expect(container.textContent).toMatch(/vm-1 today, for a month\$9\.16/)
  expect(container.textContent).toMatch(/Processor, 1\$3\.00Memory, 11 GB\$5\.50Storage, 33 GB\$0\.66/)
  expect(container.textContent).toContain('Nobody has listed one in this market yet.')
})
