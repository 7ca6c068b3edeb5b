import type { Order } from '@rackfair/rules/order/order'
import { OrderStatus } from '@rackfair/rules/order/status'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { expect, it } from 'vitest'
import { deploymentQuery, presetsQuery } from './queries.ts'
import { useApplication } from './useApplication.ts'

const NOW = 1_795_000_000
const NOBODY = `0x${'00'.repeat(20)}`

it('hides the application of an order that has ended', () => {
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY, retry: false } } })
  client.setQueryData(presetsQuery.queryKey, [])
  client.setQueryData(deploymentQuery('7').queryKey, {
    ...{ id: 'd-1', orderId: '7', deployId: 2, user: NOBODY, provider: NOBODY },
    ...{ phase: 'Running', steps: [], requestedAt: 1, visitUrl: null },
  })
  const order = {
    ...{ id: '7', appName: 'nginx', deployed: true, createTime: NOW - 600, activateTime: NOW - 300 },
    ...{ duration: 2_592_000, probation: 600, status: OrderStatus.Active, node: null },
  } as unknown as Order
  const { result, rerender } = renderHook(({ status }) => useApplication({ ...order, status }, NOW), {
    initialProps: { status: OrderStatus.Active as Order['status'] },
    wrapper: ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>,
  })
  expect(result.current.application.state).toBe('present')
  rerender({ status: OrderStatus.UserCancelled })
  expect(result.current.application.state).toBe('unknown')
  expect(result.current.latest).toBeUndefined()
  expect(result.current.name).toBe('nginx')
})
