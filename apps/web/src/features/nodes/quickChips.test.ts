import { expect, it } from 'vitest'
import { NO_FILTER } from './nodeFilter.ts'
import { quickChips } from './quickChips.ts'
import type { ListedNode, NodeSearch } from './useNodeSearch.ts'

const USD = 10n ** 18n
const machine = (gpu: ListedNode['gpu'], usd: bigint, rest: Partial<ListedNode> = {}) =>
  ({
    gpu,
    ratePerMonthWei: usd * USD,
    provider: '0x1',
    exist: true,
    sold: false,
    online: true,
    switchedOn: true,
    pledgeWei: 100n * USD,
    pledgeLockedWei: 0n,
    penalty: 0,
    offlineSince: null,
    soldUntil: null,
    ...rest,
  }) as unknown as ListedNode
const rows = [
  machine({ count: 2, model: 'RTX 4090' } as ListedNode['gpu'], 300n, { takes: ['own_images'] }),
  machine({ count: 1, model: 'RTX 4090' } as ListedNode['gpu'], 800n, { sold: true }),
  machine({ count: 1, model: 'H100 80GB' } as ListedNode['gpu'], 1700n),
  machine({ count: 0, model: '' } as ListedNode['gpu'], 9n),
]
const gpu = [
  { value: 'H100 80GB', count: 1 },
  { value: 'RTX 4090', count: 2 },
]
const search = (total = rows.length) =>
  ({ rows, stale: false, summary: { total, facets: { gpu } } }) as unknown as Pick<NodeSearch, 'rows' | 'summary' | 'stale'>

it('offers what the market has most of, with the machines that can be bought', () => {
  const chips = quickChips(NO_FILTER, search(), 0)
  expect(chips.map((chip) => [chip.kind === 'gpu' ? chip.model : chip.kind, chip.count])).toEqual([
    ['RTX 4090', 1],
    ['H100 80GB', 1],
    ['large', 1],
    ['cheap', 2],
    ['own', 1],
  ])
  expect(chips[0]?.filter.gpu).toEqual(['RTX 4090'])
})

it('counts nothing of a market that is not read to its end', () => {
  expect(quickChips(NO_FILTER, search(900), 0).map(({ count }) => count)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

it.each([{ text: 'kiln' }, { idle: true }, { minVram: 24 }])('offers nothing once the list is narrowed: %o', (asked) => {
  expect(quickChips({ ...NO_FILTER, ...asked }, search(), 0)).toEqual([])
})
