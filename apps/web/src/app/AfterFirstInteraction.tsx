import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useHasInteracted } from '../lib/useHasInteracted.ts'

/**
 * Draws `children`, and so loads their code, once their place is in the window or at the first sign of a person;
 * before that `holder`, which keeps the place. `data-later` tells src/early of it.
 */
export function AfterFirstInteraction({ children, holder }: { children: ReactNode; holder: ReactNode }) {
  const wanted = useHasInteracted()
  const [seen, setSeen] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!place.current) return
    const watcher = new IntersectionObserver((entries) => {
      if (entries.some((entry) => entry.isIntersecting)) setSeen(true)
    })
    watcher.observe(place.current)
    return () => watcher.disconnect()
  }, [])
  return wanted || seen ? (
    children
  ) : (
    <div ref={place} data-later>
      {holder}
    </div>
  )
}
