import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { useAccountState, useOpenConnect } from '../wallet/index.ts'
import { asksForWallet } from './asksForWallet.ts'

const KEY = 'rackfair.asked'

/** Without a wallet the connect dialog opens by itself, once per tab, on the screens that need one. */
export function useConnectByItself(): void {
  const [path] = useLocation()
  const { status } = useAccountState()
  const openConnect = useOpenConnect()
  useEffect(() => {
    if (status !== 'disconnected' || !asksForWallet(path)) return
    try {
      if (sessionStorage.getItem(KEY)) return
      sessionStorage.setItem(KEY, '1')
    } catch {
      return
    }
    openConnect()
  }, [path, status, openConnect])
}
