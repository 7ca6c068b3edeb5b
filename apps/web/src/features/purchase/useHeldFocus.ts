import { useLayoutEffect, useRef } from 'react'

/**
 * Keeps the keyboard's place: when the button that has the focus goes away, the one marked `data-start` of the same element gets it.
 * Spread the result on that element.
 */
export function useHeldFocus() {
  const place = useRef<HTMLDivElement>(null)
  const inside = useRef(false)
  useLayoutEffect(() => {
    if (!inside.current || document.activeElement !== document.body) return
    place.current?.querySelector<HTMLElement>('[data-start]')?.focus({ preventScroll: true })
  })
  return {
    ref: place,
    onFocus: () => {
      inside.current = true
    },
    // A button that is removed does not blur.
    onBlur: () => {
      inside.current = false
    },
  }
}
