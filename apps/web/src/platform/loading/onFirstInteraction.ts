const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'scroll', 'focusin'] as const
/** A visitor may read or listen without touching anything: after this the rest of the page loads anyway. */
const LOOKING_MS = 10_000

/**
 * Calls back at the first interaction (a pointer, a touch, a key, a scroll, a focus) or after ten seconds, once the page is idle, so that
 * code needed only for interaction does not compete with the page itself. Returns a function that cancels the callback.
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

/** Calls back when the page is idle, after four seconds at the latest. */
export function whenIdle(callback: () => void): () => void {
  if (!('requestIdleCallback' in window)) {
    const timer = setTimeout(callback, 1000)
    return () => clearTimeout(timer)
  }
  const handle = window.requestIdleCallback(callback, { timeout: 4000 })
  return () => window.cancelIdleCallback(handle)
}
