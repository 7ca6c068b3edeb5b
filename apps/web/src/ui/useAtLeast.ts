import { useCallback, useSyncExternalStore } from 'react'
import { tokens } from '../styles/tokens.ts'

/** True while the window is at least as wide as a breakpoint, for screens that draw something else then; undefined where there is no window yet. */
export function useAtLeast(breakpoint: 'sm' | 'md' | 'lg' | 'xl'): boolean | undefined {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = mediaOf(breakpoint)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    [breakpoint],
  )
  return useSyncExternalStore(
    subscribe,
    () => mediaOf(breakpoint).matches,
    () => undefined,
  )
}

/** From the tokens and not from the stylesheet: that may arrive later than the first drawing. */
const mediaOf = (breakpoint: 'sm' | 'md' | 'lg' | 'xl') =>
  window.matchMedia(`(width >= ${tokens.breakpoints[breakpoint] / 16}rem)`)
