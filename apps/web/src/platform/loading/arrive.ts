/** A line on which nothing came for this long is taken for dead: what was asked for is given up, so that it can be asked for again. */
const STALL_MS = 10_000

const arriving = new Map<string, Promise<void>>()
/** What has not arrived whole. They share a line, on which one waits for another: they are given up together. */
const waiting = new Set<AbortController>()
let watch: ReturnType<typeof setTimeout> | undefined

/**
 * Fetches files into the browser's cache, from which modules are then imported. A browser that failed to import or preload a module refuses
 * it for as long as the page is open, while a failed `fetch` can be retried.
 *
 * @throws TypeError if one of them fails to load, or if nothing at all comes for `stallMs`.
 */
export async function arrive(
  files: readonly string[],
  priority: 'auto' | 'low' = 'auto',
  stallMs: number = STALL_MS,
): Promise<void> {
  await Promise.all(files.map((file) => once(file, () => fetchWhole(file, priority, stallMs))))
}

/** The same for the stylesheets of lazy code, which apply from then on. */
export async function arriveStyles(files: readonly string[]): Promise<void> {
  const load = (file: string) => fetchWhole(file, 'auto', STALL_MS).then(() => addStylesheet(file))
  await Promise.all(files.map((file) => once(file, () => load(file))))
}

function once(file: string, load: () => Promise<void>): Promise<void> {
  const loading = arriving.get(file) ?? load()
  arriving.set(file, loading)
  loading.catch(() => arriving.delete(file))
  return loading
}

async function fetchWhole(file: string, priority: 'auto' | 'low', stallMs: number): Promise<void> {
  const request = new AbortController()
  waiting.add(request)
  try {
    watchFrom(stallMs)
    const response = await fetch(file, { priority, signal: request.signal })
    if (!response.ok) throw new TypeError(`${file} did not arrive: ${response.status}`)
    const body = response.body?.getReader()
    do watchFrom(stallMs)
    while (body && !(await body.read()).done)
  } finally {
    waiting.delete(request)
    if (waiting.size === 0) clearTimeout(watch)
  }
}

/** Something was asked for or came: waits for the next sign from now on. */
function watchFrom(stallMs: number): void {
  clearTimeout(watch)
  watch = setTimeout(() => {
    for (const request of waiting) request.abort(new TypeError(`Nothing came for ${stallMs} ms`))
  }, stallMs)
}

function addStylesheet(file: string): Promise<void> {
  if (document.querySelector(`link[rel=stylesheet][href="${file}"]`)) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href: file })
    link.onload = () => resolve()
    link.onerror = () => {
      link.remove()
      reject(new TypeError(`${file} did not arrive`))
    }
    document.head.append(link)
  })
}
