import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { NodeOffer } from '@rackfair/rules/node/node'
import { type RackSlot, readNodeOffer } from '@rackfair/sdk/http'
import { nodeAnswer } from '@rackfair/testkit/fixtures'
import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { CostToday } from './CostToday.tsx'
import { RackFronts } from './RackFronts.tsx'

const USD = 10n ** 18n
const slot: RackSlot = {
  ...{ provider: '0x00000000000000000000000000000000000000bb' as LowerCaseAddress, nodeId: 1, name: 'vm-1', sample: false },
  ...{ gpu: { model: '', count: 0 }, cpu: { model: 'EPYC', count: 1 }, memoryGb: 11, diskGb: 33, state: 'idle' },
  ...{ ratePerMonthWei: (916n * USD) / 100n, unitRateWei: 0n, medianUnitRateWei: null },
}

test('shows two machines as fronts that link to the list, and a bay that links to becoming a provider', () => {
  render(
    <RackFronts
      machines={[slot, { ...slot, nodeId: 2, name: 'vm-2', state: 'running', gpu: { model: 'RTX 4090', count: 2 } }]}
    />,
  )
  const fronts = screen.getAllByRole('listitem')
  expect(fronts).toHaveLength(2)
  expect(fronts[0]?.textContent).toMatch(/vm-1Free\$9\.16.*1 CPU.*11 GB memory.*33 GB disk/)
  expect(fronts[1]?.textContent).toMatch(/vm-2Rented.*2 × RTX 4090/)
  expect(screen.getByRole('link', { name: /^vm-2, Rented/ }).getAttribute('href')).toBe('/nodelist?text=vm-2')
  expect(screen.getByRole('link', { name: 'Become a provider' }).getAttribute('href')).toBe('/addprovider')
})

test('splits the price of a machine where nobody offers a GPU, and sums the GPUs up in a sentence', () => {
  const node: NodeOffer = {
    ...readNodeOffer(nodeAnswer({ nodename: 'vm-1' })),
    ...{ gpu: { model: '', count: 0 }, cpu: { model: 'EPYC', count: 1, cores: 1 }, memoryGb: 11, diskGb: 33 },
    prices: { pGPU: 0n, pCPU: 3n * USD, pMEM: USD / 2n, pDISK: USD / 50n },
  }
  const { container } = render(<CostToday node={node} />)
  expect(container.textContent).toMatch(/vm-1 today, for a month\$9\.16/)
  expect(container.textContent).toMatch(/Processor, 1\$3\.00Memory, 11 GB\$5\.50Storage, 33 GB\$0\.66/)
  expect(container.textContent).toContain('Nobody has listed one in this market yet.')
})
