import { morph } from './morph.ts'

/** The events of `/v1/events` that change a public page; a new block alone does not. */
const CHANGES = ['node', 'provider', 'order', 'presence', 'reset']
const GATHER_MS = 400
/** Without events the page is still refetched, because its relative times age; rarely on a metered connection. */
const AGE_MS = 60_000
const SPARING_AGE_MS = 300_000
const RETRY_MS = 2000
/** After this long without a stream, or this many failed page fetches in a row, the platform counts as unreachable. */
const AWAY_MS = 10_000
const MAX_FAILURES = 4

export interface FollowOptions {
  root: HTMLElement
  /** The build that rendered the page. A different value means another build. */
  program: string
  sparing: boolean
  /** Called when only the app can show the current state. */
  giveUp: () => void
  changed: () => void
}

/**
 * Keeps an untouched page in sync with the platform's rendering. Markup and embedded data change together, so that the app can hydrate the
 * page at any time. Returns a function that stops it.
 */
export function follow({ root, program, sparing, giveUp, changed }: FollowOptions): () => void {
  const done = new AbortController()
  const { signal } = done
  let source: EventSource | undefined
  let soon: ReturnType<typeof setTimeout> | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let away: ReturnType<typeof setTimeout> | undefined
  let reading = false
  let failures = 0

  const readIn = (ms: number) => {
    soon ??= setTimeout(read, ms)
  }
  const read = async () => {
    soon = undefined
    if (reading) return readIn(GATHER_MS)
    reading = true
    const page = await readPage(signal)
    reading = false
    if (signal.aborted) return
    const next = page?.getElementById('app')
    const answers = page?.getElementById('drawn-from')
    const seed = document.getElementById('drawn-from')
    if (!page || !next || !answers || !seed) {
      failures += 1
      if (failures >= MAX_FAILURES) giveUp()
      else readIn(RETRY_MS * failures)
      return
    }
    failures = 0
    if (page.querySelector<HTMLElement>('script[data-app]')?.dataset.app !== program) return location.reload()
    if (next.dataset.ahead !== root.dataset.ahead) return giveUp()
    if (seed.textContent === answers.textContent) return
    morph(root, next)
    seed.textContent = answers.textContent
    document.title = page.title
    changed()
  }
  const open = () => {
    away ??= setTimeout(giveUp, AWAY_MS)
    source = new EventSource('/v1/events')
    source.onopen = () => {
      clearTimeout(away)
      away = undefined
      root.dataset.live = ''
      readIn(0)
    }
    for (const type of CHANGES) source.addEventListener(type, () => readIn(GATHER_MS))
    source.onerror = () => {
      delete root.dataset.live
      away ??= setTimeout(giveUp, AWAY_MS)
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, RETRY_MS)
    }
  }
  const close = () => {
    clearTimeout(retry)
    clearTimeout(away)
    away = undefined
    source?.close()
  }
  // A page in the background has no stream: over HTTP/1.1 a browser has six connections to a host for all of its tabs.
  const followVisibility = () => {
    close()
    if (!document.hidden) open()
  }
  document.addEventListener('visibilitychange', followVisibility, { signal })
  const age = setInterval(() => !document.hidden && readIn(0), sparing ? SPARING_AGE_MS : AGE_MS)
  signal.addEventListener('abort', () => {
    clearTimeout(soon)
    clearInterval(age)
    close()
  })
  followVisibility()
  return () => done.abort()
}

/** The page's HTML; undefined if the fetch fails. The browser makes a conditional request. */
async function readPage(signal: AbortSignal): Promise<Document | undefined> {
  try {
    const answer = await fetch(location.pathname, { cache: 'no-cache', headers: { accept: 'text/html' }, signal })
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
  } catch {
    return undefined
  }
}
