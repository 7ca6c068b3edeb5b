import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { whenIdle } from '../lib/onFirstInteraction.ts'
import { useAccountState, useOpenConnect } from '../wallet/index.ts'
import { asksForWallet } from './asksForWallet.ts'
import { busyPath } from './takeOver.ts'

const KEY = 'rackfair.asked'

function isFirstTime(): boolean {
  try {
    if (sessionStorage.getItem(KEY)) return false
    sessionStorage.setItem(KEY, '1')
    return true
  } catch {
    return false
  }
}

/**
 * Opens the connect dialog automatically, once per tab, on screens that need a wallet; but not if the user was already interacting with the
 * page.
 */
export function useConnectByItself(): void {
  const [path] = useLocation()
  const { status } = useAccountState()
  const openConnect = useOpenConnect()
  useEffect(() => {
    if (status !== 'disconnected' || !asksForWallet(path) || path === busyPath) return
    return whenIdle(() => {
      if (isFirstTime()) openConnect()
    })
  }, [path, status, openConnect])
}
