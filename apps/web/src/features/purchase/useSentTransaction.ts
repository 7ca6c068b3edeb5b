import { waitForReceipt } from '@rackfair/sdk'
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Hash, TransactionReceipt } from 'viem'
import { useSearchParams } from 'wouter'
import { noteBlock } from '../../lib/knownBlock.ts'
import type { Market } from '../../wallet/index.ts'

const HASH = /^0x[0-9a-f]{64}$/i

/**
 * A transaction that was on its way when the page was loaded again: the address bar keeps its hash, and it is awaited again.
 * `note` writes the hash of a new one there, `forget` takes it away once its end has been shown.
 */
export function useSentTransaction(market: Market | undefined) {
  const [params, setParams] = useSearchParams()
  const [hash, setHash] = useState(() => {
    const kept = params.get('tx') ?? ''
    return HASH.test(kept) ? (kept as Hash) : undefined
  })
  const waiting = useQuery({
    queryKey: ['purchase', 'receipt', hash ?? ''],
    queryFn: market && hash ? () => waitForReceipt(market.client, hash) : skipToken,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    // A receipt is made of viem's own objects with bigints, which structural sharing cannot compare.
    structuralSharing: false,
  })
  const receipt: TransactionReceipt | undefined = waiting.data
  useEffect(() => {
    if (receipt) noteBlock(receipt.blockNumber)
  }, [receipt])

  const write = (next: string | undefined) =>
    setParams(
      (before) => {
        if (next === undefined) before.delete('tx')
        else before.set('tx', next)
        return before
      },
      { replace: true },
    )
  return {
    hash,
    receipt,
    error: waiting.error,
    note: write,
    forget: () => {
      setHash(undefined)
      write(undefined)
    },
  }
}
