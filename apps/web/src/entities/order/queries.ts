import { readDeployment, readOrder, readOrders, readPresets } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'
import { readOnce } from '../../platform/api/readOnce.ts'
import { isNotFound } from '../../platform/errors/isNotFound.ts'

/** A machine going offline is no chain event, so its reachability is polled at this interval. */
export const SILENCE_MS = 30_000

/** One order, read again whenever it changes. */
export function orderQuery(orderId: string) {
  return queryOptions({
    queryKey: ['order', orderId],
    queryFn: ({ signal }) => api.order(orderId, { signal }),
    select: readOrder,
    meta: { live: [`order:${orderId}`, 'node'] },
    refetchInterval: SILENCE_MS,
  })
}

/** The orders of an account and of its purse. `address` is in lower case. */
export function userOrdersQuery(address: string) {
  return queryOptions({
    queryKey: ['orders', 'of', address],
    queryFn: ({ signal }) => api.userOrders(address, { signal }),
    select: readOrders,
    enabled: address !== '',
    meta: { live: ['order', 'node'] },
    refetchInterval: SILENCE_MS,
  })
}

/** The latest deployment of an order, or null before the first. */
export function deploymentQuery(orderId: string) {
  return queryOptions({
    queryKey: ['deployment', orderId],
    queryFn: async ({ signal }) => {
      try {
        return await api.orderDeployment(orderId, { signal })
      } catch (error) {
        if (isNotFound(error)) return null
        throw error
      }
    },
    select: readLatest,
    meta: { live: [`deployment:${orderId}`] },
  })
}

const readLatest = (answer: object | null) => answer && readDeployment(answer)

/** The catalogue of applications. */
export const presetsQuery = queryOptions({
  queryKey: ['presets'],
  queryFn: ({ signal }) => api.presets({ signal }),
  select: readOnce(readPresets),
  staleTime: Number.POSITIVE_INFINITY,
})

/** The orders that a provider has sold. `address` is in lower case. */
export function providerOrdersQuery(address: string) {
  return queryOptions({
    queryKey: ['provider-orders', address],
    queryFn: ({ signal }) => api.providerOrders(address, { signal }),
    select: readOrders,
    meta: { live: ['order', 'node'] },
  })
}
