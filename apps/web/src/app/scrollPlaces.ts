const KEY = 'rackfair.places'
const MOST = 50
/** A page that has become shorter never reaches the place, and later growth must not move what is being read by then. */
const WAIT_MS = 5000

/** The entry of the history that is shown. Its key outlives a changed query string and a reload; older browsers have none. */
const entry = () => ('navigation' in window && window.navigation.currentEntry?.key) || window.location.href

let places = new Map<string, number>()
/** The place that a step through the history, or a reload, asks for; taken when its page is drawn. */
let wanted: number | undefined
/** While what the page holds is still on its way. */
let waiting = false
let stopWaiting = () => {}

/**
 * Remembers how far each entry of the history was scrolled, also over a reload. Called before the router listens: it has to know of a step
 * through the history before the page of that step is drawn.
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
  // A link may be followed before the browser has told of the last scroll.
  window.addEventListener('click', note, { capture: true })
  window.addEventListener('pagehide', () => writePlaces(places))
}

/** A page has been drawn: goes to where this entry was left; a new page, to its top. */
export function goToPlace(isNew: boolean): void {
  const top = wanted
  wanted = undefined
  if (top !== undefined) holdAt(top)
  else if (isNew) {
    stopWaiting()
    window.scrollTo(0, 0)
  }
}

/** What the page holds may still be on its way: the place is held until somebody moves the page, or all should have come. */
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
  // The browser would follow what moves while it arrives.
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
    // A full or forbidden storage costs the place, nothing else.
  }
}
