const KEY = 'rackfair.places'
const MOST = 50
/** How long to keep trying: a page that has become shorter never reaches the position, and later growth must not scroll a reader away. */
const WAIT_MS = 5000

/** The current history entry. Its key survives a changed query string and a reload; older browsers have none. */
const entry = () => ('navigation' in window && window.navigation.currentEntry?.key) || window.location.href

let places = new Map<string, number>()
/** The position that a history navigation or a reload should restore; consumed when its page is rendered. */
let wanted: number | undefined
/** Set while the page's content is still loading. */
let waiting = false
let stopWaiting = () => {}

/**
 * Remembers the scroll position of each history entry, even across a reload. Must be called before the router subscribes: it has to see a
 * history navigation before its page is rendered.
 */
export function followPlaces(): void {
  window.history.scrollRestoration = 'manual'
  places = readPlaces()
  wanted = places.get(entry())
  const note = () => {
    if (waiting || wanted !== undefined) return
    places.delete(entry())
    places.set(entry(), window.scrollY)
  }
  window.addEventListener('popstate', () => {
    stopWaiting()
    wanted = places.get(entry()) ?? 0
  })
  window.addEventListener('scroll', note, { passive: true })
  // A link may be followed before the browser has fired the last scroll event.
  window.addEventListener('click', note, { capture: true })
  window.addEventListener('pagehide', () => writePlaces(places))
}

/** Called when a page was rendered: restores this entry's position, or scrolls a new page to its top. */
export function goToPlace(isNew: boolean): void {
  const top = wanted
  wanted = undefined
  if (top !== undefined) holdAt(top)
  else if (isNew) {
    stopWaiting()
    window.scrollTo(0, 0)
  }
}

/** Holds the position while content is still loading, until the user scrolls or everything should have arrived. */
function holdAt(top: number): void {
  const done = new AbortController()
  const page = document.documentElement
  const watcher = new ResizeObserver(() => window.scrollTo(0, top))
  const stop = () => {
    waiting = false
    done.abort()
    watcher.disconnect()
    clearTimeout(timer)
    page.style.removeProperty('overflow-anchor')
  }
  const timer = setTimeout(stop, WAIT_MS)
  stopWaiting = stop
  waiting = true
  // The browser's scroll anchoring would follow content that moves while loading.
  page.style.overflowAnchor = 'none'
  for (const sign of ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const)
    window.addEventListener(sign, stop, { capture: true, passive: true, signal: done.signal })
  watcher.observe(document.body)
  window.scrollTo(0, top)
}

function readPlaces(): Map<string, number> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    if (!Array.isArray(stored)) return new Map()
    return new Map(stored.filter(([key, top]) => typeof key === 'string' && Number.isFinite(top)))
  } catch {
    return new Map()
  }
}

function writePlaces(all: ReadonlyMap<string, number>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify([...all].slice(-MOST)))
  } catch {
    // Full or forbidden storage only loses the position.
  }
}
