import type { Provider } from '@rackfair/rules/provider/provider'
import { isRegistered } from '@rackfair/rules/provider/provider'
import { readProvider } from '@rackfair/sdk/http'
import { queryOptions } from '@tanstack/react-query'
import { api } from '../../platform/api/api.ts'
import { readOnce } from '../../platform/api/readOnce.ts'
import { isNotFound } from '../../platform/errors/isNotFound.ts'

const readKnown = readOnce(readProvider)
const read = (answer: object | null): Provider | null => answer && readKnown(answer)

/** One provider with its nodes, wherever it is shown; null where there is none. `address` is in lower case. */
export function providerQuery(address: string) {
  return queryOptions({
    queryKey: ['provider', address],
    queryFn: async ({ signal }) => {
      try {
        return await api.provider(address, { signal })
      } catch (error) {
        if (isNotFound(error)) return null
        throw error
      }
    },
    select: read,
    meta: { live: [`provider:${address}`, 'order'] },
  })
}

/** The same for its owner: null while it is not registered, and an entry without domain and ip counts as that. */
export function ownProviderQuery(address: string) {
  return queryOptions({ ...providerQuery(address), select: readRegistered })
}

function readRegistered(answer: object | null): Provider | null {
  const provider = read(answer)
  return provider && isRegistered(provider) ? provider : null
}
