import type { Provider } from '@rackfair/rules/provider/provider'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useAccountState } from '../../wallet/index.ts'
import { ownProviderQuery } from './queries.ts'

/** The provider of the connected wallet; null where it is none. */
export function useOwnProvider(): UseQueryResult<Provider | null> {
  const { lowerCase, status } = useAccountState()
  return useQuery({ ...ownProviderQuery(lowerCase ?? ''), enabled: status === 'connected' && lowerCase !== undefined })
}
