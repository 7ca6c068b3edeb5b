import { useCallback, useSyncExternalStore } from 'react'
import { BREAKPOINTS } from '../styles/tokens.ts'

type Breakpoint = keyof typeof BREAKPOINTS

/** True while the window is at least as wide as a breakpoint, for screens that draw something else then; undefined where there is no window yet. */
export function useAtLeast(breakpoint: Breakpoint): boolean | undefined {
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
const mediaOf = (breakpoint: Breakpoint) => window.matchMedia(`(width >= ${BREAKPOINTS[breakpoint] / 16}rem)`)
