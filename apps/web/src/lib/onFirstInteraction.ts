const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'scroll', 'focusin'] as const
/** Somebody may look or listen without touching anything: then the rest of the page comes by itself. */
const LOOKING_MS = 10_000

/**
 * Calls back at the first sign of a person (a pointer, a touch, a key, a scroll, a focus) or ten seconds later, once the page is idle:
 * code that only people need does not compete with the page itself. Gives the function that takes it back.
 */
export function onFirstInteraction(callback: () => void): () => void {
  const signs = new AbortController()
  let stopIdle = () => {}
  const wanted = () => {
    signs.abort()
    clearTimeout(looking)
    stopIdle = whenIdle(callback)
  }
  const looking = setTimeout(wanted, LOOKING_MS)
  for (const sign of SIGNS) window.addEventListener(sign, wanted, { passive: true, signal: signs.signal })
  return () => {
    signs.abort()
    clearTimeout(looking)
    stopIdle()
  }
}

/** Calls back when the page has nothing else to do, after four seconds at the latest. */
export function whenIdle(callback: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, 1000)
    return () => clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(callback, { timeout: 4000 })
  return () => window.cancelIdleCallback(handle)
}
