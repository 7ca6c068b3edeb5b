import type { Provider } from '@rackfair/core'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useAccountState } from '../../wallet/index.ts'
import { ownProviderQuery } from './providerQueries.ts'

export type OwnProvider =
  | { status: 'loading' }
  | { status: 'failed'; error: Error; retry: () => void; retrying: boolean }
  | { status: 'none' }
  | { status: 'registered'; provider: Provider }

/** The provider of the connected wallet. */
export function useOwnProvider(): OwnProvider {
  const { address, status } = useAccountState()
  const connected = status === 'connected' && address !== undefined
  const options = ownProviderQuery(address?.toLowerCase() ?? '')
  const query = useQuery({ ...options, queryFn: connected ? (options.queryFn ?? skipToken) : skipToken })
  if (query.data) return { status: 'registered', provider: query.data }
  if (query.data === null) return { status: 'none' }
  if (query.error) return { status: 'failed', error: query.error, retry: () => void query.refetch(), retrying: query.isFetching }
  return { status: 'loading' }
}
