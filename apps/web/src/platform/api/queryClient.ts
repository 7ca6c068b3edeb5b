import { type DefaultOptions, QueryClient } from '@tanstack/react-query'

/**
 * What a query shows changes with: `node`, `order`, `provider`, `deployment`, `block`, or one thing of them
 * (`order:12`, `provider:0x…`, `node:0x…/1`); `platform` is its coming back after it could not be reached. Put it into the query's `meta: { live: [...] }` and it is read again when that changes.
 */
export type LiveTopic =
  | 'node'
  | 'order'
  | 'provider'
  | 'deployment'
  | 'block'
  | 'platform'
  | `node:${string}`
  | `order:${string}`
  | `provider:${string}`
  | `deployment:${string}`

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: { live?: readonly LiveTopic[] }
  }
}

const defaults: DefaultOptions['queries'] = {
  staleTime: 30_000,
  retry: (failures, error) => failures < 2 && (!('retryable' in error) || error.retryable === true),
  retryDelay: (attempt) => 500 * 2 ** attempt,
}

export function createQueryClient(queries: DefaultOptions['queries'] = {}): QueryClient {
  return new QueryClient({ defaultOptions: { queries: { ...defaults, ...queries }, mutations: { retry: false } } })
}

export const queryClient = createQueryClient()
