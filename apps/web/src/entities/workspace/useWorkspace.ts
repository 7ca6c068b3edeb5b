import { MACHINES } from '@rackfair/protocol/workspaceText'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Deployment } from '@rackfair/rules/deployment/deployment'
import { visitLink, visitUrl } from '@rackfair/rules/deployment/visitUrl'
import type { AppError } from '@rackfair/rules/errors/AppError'
import { type Order, whoIs } from '@rackfair/rules/order/order'
import type { Provider } from '@rackfair/rules/provider/provider'
import type { Workspace } from '@rackfair/sdk/workspace'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useConfig } from '../../platform/api/config.ts'
import { useAccountState, useMarket, useSignText } from '../../wallet/index.ts'
import { canMakeKeys, findWorkspaceKey, makeWorkspaceKey, type VisitPlace } from './workspaceKey.ts'

export type WorkspaceState =
  /** Not the buyer's page, or a page without TLS, where browsers make no keys. */
  | { status: 'unavailable' }
  | { status: 'loading' }
  /** The wallet has to sign once for this browser: `unlock` asks it, and answers false when the person says no. */
  | { status: 'locked'; unlock: () => Promise<boolean> }
  | { status: 'failed'; error: AppError; retry: () => void }
  | {
      status: 'ready'
      workspace: Workspace /** After `key_revoked` or `key_expired`: the wallet signs again. */
      lock: () => void
    }

/** The workspace of one's own order. Loads what seals when there is a key to use it with. */
export function useWorkspace(order: Order, latest: Deployment | null | undefined): WorkspaceState {
  return useWorkspaceAt({
    orderId: order.id,
    provider: order.provider,
    link: visitLink(order, latest?.visitUrl),
    isMine: (account) => whoIs(order, account) === 'buyer',
  })
}

/** What the agent of one's own provider tells of its machines. */
export function useMachinesWorkspace(provider: Provider): WorkspaceState {
  return useWorkspaceAt({
    orderId: String(MACHINES),
    provider: provider.address,
    link: visitUrl(provider, MACHINES, provider.address),
    isMine: (account) => account === provider.address,
  })
}

interface OwnPlace extends Pick<VisitPlace, 'orderId' | 'provider' | 'link'> {
  isMine: (account: LowerCaseAddress) => boolean
}

function useWorkspaceAt({ isMine: isOf, ...at }: OwnPlace): WorkspaceState {
  const { orderId } = at
  const config = useConfig()
  const market = useMarket()
  const queries = useQueryClient()
  const { address, lowerCase, status } = useAccountState()
  const { signText } = useSignText()
  const isMine = status === 'connected' && address !== undefined && lowerCase !== undefined && isOf(lowerCase)
  const place: VisitPlace | undefined = config && isMine ? { ...at, chainId: config.chainId, wallet: address } : undefined
  const queryKey = ['workspace', orderId, address, place?.link]
  const ready = market.status === 'ready' ? market.market : undefined
  const found = useQuery({
    queryKey,
    queryFn: async () => {
      const key = place && (await findWorkspaceKey(place))
      if (!key || !ready) return null
      const { connectWorkspace } = await import('./connectWorkspace.ts')
      return connectWorkspace(place, key, ready)
    },
    enabled: place !== undefined && ready !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const again = useCallback(() => queries.resetQueries({ queryKey: ['workspace', orderId] }), [queries, orderId])
  const unlock = async () => {
    if (!place || !(await makeWorkspaceKey(place, signText))) return false
    await again()
    return true
  }

  if (!canMakeKeys() || (config && status !== 'loading' && !isMine)) return { status: 'unavailable' }
  if (market.status === 'failed') return { status: 'failed', error: market.error, retry: market.retry }
  if (found.data) return { status: 'ready', workspace: found.data, lock: () => queries.setQueryData(queryKey, null) }
  return found.data === null ? { status: 'locked', unlock } : { status: 'loading' }
}
