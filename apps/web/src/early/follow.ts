import { morph } from './morph.ts'

/** The messages of `/v1/events` that change what a public page shows; a new block alone does not. */
const CHANGES = ['node', 'provider', 'order', 'presence', 'reset']
const GATHER_MS = 400
/** A page without news is read again too, because what it says of times ages; seldom on a line that is paid by use. */
const AGE_MS = 60_000
const SPARING_AGE_MS = 300_000
const RETRY_MS = 2000
/** So long without a stream, or so many pages in a row that could not be read, and the platform is away. */
const AWAY_MS = 10_000
const MAX_FAILURES = 4

export interface FollowOptions {
  root: HTMLElement
  /** The page was drawn by this. Another one belongs to another build. */
  program: string
  sparing: boolean
  /** Only the app can say what is to be said now. */
  giveUp: () => void
  changed: () => void
}

/**
 * Keeps a page that nobody has touched as the platform draws it now. All of it and the answers it was drawn from change together, so that
 * the app can take it over at any time. Gives the function that ends it.
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

/** Undefined where it cannot be read. The browser asks only whether it has changed. */
async function readPage(signal: AbortSignal): Promise<Document | undefined> {
  try {
    const answer = await fetch(location.pathname, { cache: 'no-cache', headers: { accept: 'text/html' }, signal })
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined
  } catch {
    return undefined
  }
}
