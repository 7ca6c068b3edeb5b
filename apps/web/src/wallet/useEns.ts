import { useQuery } from '@tanstack/react-query'
import { useConfig } from '../platform/api/config.ts'
import type { Ens } from './session/lookUpEns.ts'

/** The ENS name of an address and its picture, only where a mainnet RPC is configured; undefined otherwise. */
export function useEns(address: string | undefined): Ens | undefined {
  const rpcUrl = useConfig()?.mainnetRpcUrl ?? null
  const ens = useQuery({
    queryKey: ['ens', rpcUrl, address],
    queryFn: async () => (await import('./session/lookUpEns.ts')).lookUpEns(rpcUrl ?? '', address as `0x${string}`),
    enabled: rpcUrl !== null && address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return ens.data ?? undefined
}
