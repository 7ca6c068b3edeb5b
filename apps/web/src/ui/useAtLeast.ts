import { useCallback, useSyncExternalStore } from 'react'

/** True while the window is at least as wide as a breakpoint, for screens that draw something else then. */
export function useAtLeast(breakpoint: 'sm' | 'md' | 'lg' | 'xl'): boolean {
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
    () => true,
  )
}

const mediaOf = (breakpoint: string) => {
  const width = getComputedStyle(document.documentElement).getPropertyValue(`--breakpoint-${breakpoint}`)
  return window.matchMedia(`(width >= ${width.trim()})`)
}
