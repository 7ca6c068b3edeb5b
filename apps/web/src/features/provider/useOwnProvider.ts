import type { Provider } from '@rackfair/core'
import { skipToken, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useAccountState } from '../../wallet/index.ts'
import { ownProviderQuery } from './providerQueries.ts'

/** The provider of the connected wallet; null where it is none. */
export function useOwnProvider(): UseQueryResult<Provider | null> {
  const { lowerCase, status } = useAccountState()
  const connected = status === 'connected' && lowerCase !== undefined
  const options = ownProviderQuery(lowerCase ?? '')
  return useQuery({ ...options, queryFn: connected ? (options.queryFn ?? skipToken) : skipToken })
}
