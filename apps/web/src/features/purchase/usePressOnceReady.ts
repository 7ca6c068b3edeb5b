import type { CheckoutBlocker } from '@rackfair/rules/order/checkout'
import { useEffect, useRef, useState } from 'react'
import { useAccountState, useIsConnecting, useOpenConnect } from '../../wallet/index.ts'

export interface ReadyPress {
  blocker: CheckoutBlocker | undefined
  /** What the person has agreed to; another fee is asked for anew. */
  feeWei: bigint | undefined
  faucet: { get: (() => void) | undefined; failed: boolean }
  press: () => void
}

/**
 * The press of Pay before a wallet is connected: opens the dialog, and goes on by itself once the wallet is there, with test money where a
 * faucet gives it. Whoever closes the dialog, or is shown another fee, has to press again.
 */
export function usePressOnceReady({ blocker, feeWei, faucet, press }: ReadyPress): { isWaiting: boolean; begin: () => void } {
  const openConnect = useOpenConnect()
  const isConnecting = useIsConnecting()
  const { status } = useAccountState()
  const [agreedWei, setAgreedWei] = useState<bigint>()
  const asked = useRef(false)
  const isWaiting = agreedWei !== undefined
  const code = blocker?.code

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is pressed and given is new with every render
  useEffect(() => {
    if (!isWaiting || isConnecting) return
    const isAway = status === 'disconnected' || status === 'unauthenticated'
    const lacksMoney = code === 'balance_low' || code === 'no_gas'
    if (code === 'wait') return
    if (!isAway && lacksMoney && faucet.get && !faucet.failed) {
      if (!asked.current) faucet.get()
      asked.current = true
      return
    }
    setAgreedWei(undefined)
    if (code === undefined && feeWei === agreedWei) press()
  }, [isWaiting, isConnecting, status, code, feeWei, faucet.failed, faucet.get === undefined])

  return {
    isWaiting: isWaiting && !isConnecting,
    begin: () => {
      asked.current = false
      setAgreedWei(feeWei)
      openConnect()
    },
  }
}
