import { readPrices } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'

/** Medians of the market, by kind and model. */
export const medianPricesQuery = queryOptions({
  queryKey: ['median-prices'],
  queryFn: ({ signal }) => api.prices({ signal }),
  select: readPrices,
  staleTime: 300_000,
})
