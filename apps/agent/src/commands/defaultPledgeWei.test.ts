import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { expect, it } from 'vitest'
import { defaultPledgeWei } from './defaultPledgeWei.ts'

const DAY = 86_400
const node = (usdPerMonth: bigint) => ({
  ...{ cpuModel: '', gpuModel: 'RTX 4090', nCPU: 0, core: 0, nGPU: 1, nMEM: 0, nDISK: 0 },
  ...{ pCPU: 0n, pGPU: usdPerMonth * ONE_CREDIT_WEI, pMEM: 0n, pDISK: 0n },
})

it('covers a sale of every listed node at once, in whole dollars', () => {
  expect(defaultPledgeWei([node(420n), node(421n)], DAY)).toBe(29n * ONE_CREDIT_WEI)
  expect(defaultPledgeWei([node(420n), node(420n)], 7 * DAY)).toBe(196n * ONE_CREDIT_WEI)
})

it('is 10 USD where that is more, and without listed nodes', () => {
  expect(defaultPledgeWei([node(299n)], DAY)).toBe(10n * ONE_CREDIT_WEI)
  expect(defaultPledgeWei([], DAY)).toBe(10n * ONE_CREDIT_WEI)
})
