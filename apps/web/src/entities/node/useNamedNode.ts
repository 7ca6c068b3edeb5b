import { useQuery } from '@tanstack/react-query'
import { useAddressParam, useParam } from '../../platform/browser/searchParams.ts'
import { isNotFound } from '../../platform/errors/isNotFound.ts'
import { nodeQuery } from './nodeQuery.ts'

/** The machine that the address bar names (`?provider=&node=`). */
export function useNamedNode() {
  const provider = useAddressParam('provider')
  const nodeId = Number(useParam('node'))
  const isNamed = provider !== undefined && Number.isInteger(nodeId) && nodeId > 0
  const query = useQuery({ ...nodeQuery(provider ?? '', nodeId), enabled: isNamed })
  return { query, key: `${provider}/${nodeId}`, isMissing: !isNamed || isNotFound(query.error) }
}
