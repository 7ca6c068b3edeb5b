import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { whenIdle } from '../platform/loading/onFirstInteraction.ts'
import { busyPath } from '../prerender/takeOver.ts'
import { useAccountState, useOpenConnect } from '../wallet/index.ts'
import { asksForWallet } from './asksForWallet.ts'

const KEY = 'rackfair.asked'
/** Whoever does one of these outside the panel is using the page. */
const USES = ['pointerdown', 'keydown', 'wheel', 'touchmove', 'focusin'] as const
/** By keyboard one comes to the panel, and what has the focus elsewhere is never below it. */
const MOVES = new Set(['Tab', 'Shift', 'Control', 'Alt', 'Meta'])

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
 * The offer to connect a wallet: shown once per tab, on screens that can use one, unless the user was already interacting with the page;
 * gone at the first use of the page. Undefined while there is nothing to show.
 */
export function useConnectPanel(): { onConnect: () => void; onClose: () => void } | undefined {
  const [path] = useLocation()
  const { status } = useAccountState()
  const openConnect = useOpenConnect()
  const [shownOn, setShownOn] = useState<string>()
  const isShown = shownOn === path && status === 'disconnected'
  useEffect(() => {
    if (status !== 'disconnected' || !asksForWallet(path) || path === busyPath) return
    return whenIdle(() => {
      if (isFirstTime()) setShownOn(path)
    })
  }, [path, status])
  useEffect(() => {
    if (!isShown) return
    const used = new AbortController()
    const leave = (event: Event) => {
      const key = event instanceof KeyboardEvent ? event.key : undefined
      const { target } = event
      const isOutside = !(target instanceof Element) || target.closest('[data-connect-panel]') === null
      if (key === 'Escape' || (isOutside && !MOVES.has(key ?? ''))) setShownOn(undefined)
    }
    for (const use of USES) window.addEventListener(use, leave, { passive: true, capture: true, signal: used.signal })
    return () => used.abort()
  }, [isShown])
  const onClose = () => setShownOn(undefined)
  const onConnect = () => {
    onClose()
    openConnect()
  }
  return isShown ? { onConnect, onClose } : undefined
}
