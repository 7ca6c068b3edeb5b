import { useSyncExternalStore } from 'react'

/** The threshold of the specification, which also decides the size of QR codes. */
const NARROW = '(width < 48em)'

/** True below 768 px: one column, one step at a time. */
export function useCompact(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = window.matchMedia(NARROW)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => window.matchMedia(NARROW).matches,
  )
}
