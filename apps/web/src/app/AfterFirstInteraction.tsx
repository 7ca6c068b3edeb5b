import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useHasInteracted } from '../platform/loading/useHasInteracted.ts'

/**
 * Renders `children`, and so loads their code, once their place is in the viewport or at the first interaction;
 * until then renders the placeholder `holder`. `data-later` marks it for src/prerender/early.
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
