import { useQuery } from '@tanstack/react-query'
import { useConfig } from '../lib/config.ts'

/** The ENS name of an address, only where a mainnet RPC is configured; undefined otherwise. */
export function useEnsName(address: string | undefined): string | undefined {
  const rpcUrl = useConfig()?.mainnetRpcUrl ?? null
  const name = useQuery({
    queryKey: ['ens', rpcUrl, address],
    queryFn: async () => (await import('./runtime/lookUpEns.ts')).lookUpEns(rpcUrl ?? '', address as `0x${string}`),
    enabled: rpcUrl !== null && address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return name.data ?? undefined
}
