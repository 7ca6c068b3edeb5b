import { useEffect, useState } from 'react'
import type { Hash } from 'viem'
import { useSearchParams } from 'wouter'
import { type Market, type Payment, usePayment, useWaitingNotice } from '../../wallet/index.ts'

/** A payment from the button to the receipt, taken up again after a reload: the address bar keeps the hash of what has left the wallet. */
export function useCheckout(market: Market | undefined) {
  const [params, setParams] = useSearchParams()
  const [keptHash] = useState(() => readHash(params.get('tx')))
  const { state, pay, reset } = usePayment(market, keptHash)
  const [dismissed, setDismissed] = useState<unknown>()
  const progress = state.at === 'idle' ? undefined : state
  const error = state.at === 'failed' ? state.error : undefined
  useWaitingNotice(state.at === 'waiting')

  const note = (hash: Hash | undefined) =>
    setParams(
      (before) => {
        if (hash === undefined) before.delete('tx')
        else before.set('tx', hash)
        return before
      },
      { replace: true },
    )
  const hash = progress?.hash
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every transaction that leaves the wallet
  useEffect(() => {
    if (hash !== undefined) note(hash)
  }, [hash])

  return {
    progress,
    busy: progress !== undefined && progress.at !== 'failed' && progress.at !== 'done',
    /** What is paid for must not change: a payment is under way, or has arrived. */
    holdsTerm: progress !== undefined && progress.at !== 'failed',
    /** The failure that has not been read yet. */
    error: error === dismissed ? undefined : error,
    /** The wallet has taken the payment, so that money may be spent. */
    sent: state.at === 'waiting' || state.at === 'done' || (state.at === 'failed' && state.during === 'waiting'),
    receipt: state.at === 'done' ? state.receipt : undefined,
    start: async (prepare: () => Promise<Payment | undefined>) => {
      if (!market) return undefined
      note(undefined)
      return pay(market, prepare)
    },
    dismiss: () => setDismissed(error),
    /** Clears the steps, for example when the price has to be requested again. */
    clear: () => {
      reset()
      note(undefined)
    },
  }
}

function readHash(text: string | null): Hash | undefined {
  return text !== null && /^0x[0-9a-f]{64}$/i.test(text) ? (text as Hash) : undefined
}
