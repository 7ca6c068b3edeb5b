import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Hash } from 'viem'
import type { Market } from '../market.ts'
import { useWalletContext } from '../WalletContext.ts'
import { createPayment } from './createPayment.ts'
import { browserWallet } from './PaymentWallet.ts'

/** One payment of the connected wallet. `sentHash`: what had left the wallet when the page was loaded again; it is waited for. */
export function usePayment(market: Market | undefined, sentHash: Hash | undefined) {
  useWalletContext('usePayment')
  const [payment] = useState(() => createPayment(browserWallet, sentHash))
  const state = useSyncExternalStore(payment.subscribe, payment.getState)
  useEffect(() => {
    if (market) void payment.resume(market)
  }, [market, payment])
  return { state, pay: payment.pay, reset: payment.reset }
}
