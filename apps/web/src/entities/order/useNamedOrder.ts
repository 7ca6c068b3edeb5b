import { useQuery } from '@tanstack/react-query'
import { isNotFound } from '../../platform/errors/isNotFound.ts'
import { orderQuery } from './queries.ts'

/** The order that the address bar names, if `id` is the number of one; `missing` where it is none, or there is no such order. */
export function useNamedOrder(id: string) {
  const named = /^[1-9]\d{0,19}$/.test(id)
  const order = useQuery({ ...orderQuery(id), enabled: named })
  return { named, order, missing: !named || isNotFound(order.error) }
}
