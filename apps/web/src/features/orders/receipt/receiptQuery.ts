import { queryOptions } from '@tanstack/react-query'
import { api } from '../../../platform/api/api.ts'

/** A receipt in the platform's own words, which is what is verified; `readReceipt` makes of it what is shown. */
export function receiptQuery(orderId: string) {
  return queryOptions({
    queryKey: ['orders', 'receipt', orderId],
    queryFn: ({ signal }) => api.receipt(orderId, { signal }),
    meta: { live: [`order:${orderId}`] },
  })
}
