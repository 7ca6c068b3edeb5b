const KEY = 'rackfair.places'
const MOST = 50
/** A page that has become shorter never reaches the place; later growth must not move what is being read by then. */
const WAIT_MS = 5000

/** The entry of the history that is shown. Its key outlives a changed query string and a reload; older browsers have none. */
const entry = () => ('navigation' in window && window.navigation.currentEntry?.key) || window.location.href

let places = new Map<string, number>()
/** The place that a step through the history asks for, until the page shows it. */
let wanted: number | undefined
let stopWaiting = () => {}

/** Remembers how far each entry of the history was scrolled, also over a reload. Gives the function that stops it. */
export function followPlaces(): () => void {
  window.history.scrollRestoration = 'manual'
  places = readPlaces()
  wanted = places.get(entry())
  const done = new AbortController()
  const on = { capture: true, passive: true, signal: done.signal }
  const note = () => {
    if (wanted !== undefined) return
    places.delete(entry())
    places.set(entry(), window.scrollY)
  }
  window.addEventListener('scroll', note, on)
  // A link may be followed before the browser has told of the last scroll.
  window.addEventListener('click', note, on)
  window.addEventListener(
    'popstate',
    () => {
      stopWaiting()
      wanted = places.get(entry()) ?? 0
    },
    on,
  )
  window.addEventListener('pagehide', () => writePlaces(places), on)
  return () => {
    stopWaiting()
    done.abort()
  }
}

/** A page has been drawn: goes to where this entry was left; a new page, to its top. */
export function goToPlace(isNew: boolean): void {
  if (wanted !== undefined) waitFor(wanted)
  else if (isNew) window.scrollTo(0, 0)
}

/** What the page holds may still be on its way; it is waited for unless somebody moves the page meanwhile. */
function waitFor(top: number): void {
  stopWaiting()
  const done = new AbortController()
  const stop = () => {
    done.abort()
    watcher.disconnect()
    clearTimeout(timer)
    wanted = undefined
  }
  const go = () => {
    window.scrollTo(0, top)
    if (Math.abs(window.scrollY - top) < 1) stop()
  }
  const watcher = new ResizeObserver(go)
  const timer = setTimeout(stop, WAIT_MS)
  stopWaiting = stop
  for (const sign of ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const)
    window.addEventListener(sign, stop, { capture: true, passive: true, signal: done.signal })
  watcher.observe(document.body)
  go()
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
