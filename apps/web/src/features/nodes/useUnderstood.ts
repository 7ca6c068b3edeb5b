import { readNodeSearch } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api } from '../../platform/api/api.ts'
import { readOnce } from '../../platform/api/readOnce.ts'
import { type MarketModels, withModels } from './modelsInText.ts'
import { type NodeFilter, understood } from './nodeFilter.ts'

const readModels = readOnce((page: Awaited<ReturnType<typeof api.nodes>>): MarketModels => {
  const { gpu, cpu } = readNodeSearch(page).facets
  return { gpu: gpu.map(({ value }) => value), cpu: cpu.map(({ value }) => value) }
})

/** The filter with the sentence of the search field taken apart; what it leaves is compared with the models of the market. */
export function useUnderstood(asked: NodeFilter): NodeFilter {
  const filter = useMemo(() => understood(asked), [asked])
  const { data: models } = useQuery({
    queryKey: ['nodes', 'models'],
    queryFn: ({ signal }) => api.nodes({ limit: 1 }, { signal }),
    enabled: asked.text !== '',
    select: readModels,
    meta: { live: ['node'] },
  })
  return useMemo(() => (models === undefined ? filter : withModels(filter, models)), [filter, models])
}
