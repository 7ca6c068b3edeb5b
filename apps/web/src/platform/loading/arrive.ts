const arriving = new Map<string, Promise<void>>()

/**
 * Fetches files into the browser's cache, from which modules are then imported. A browser that failed to import or preload a module refuses
 * it for as long as the page is open, while a failed `fetch` can be retried.
 *
 * @throws TypeError if one of them fails to load.
 */
export async function arrive(files: readonly string[], priority: 'auto' | 'low' = 'auto'): Promise<void> {
  await Promise.all(files.map((file) => once(file, () => fetchWhole(file, priority))))
}

/** The same for the stylesheets of lazy code, which apply from then on. */
export async function arriveStyles(files: readonly string[]): Promise<void> {
  await Promise.all(files.map((file) => once(file, () => addStylesheet(file))))
}

function once(file: string, load: () => Promise<void>): Promise<void> {
  const loading = arriving.get(file) ?? load()
  arriving.set(file, loading)
  loading.catch(() => arriving.delete(file))
  return loading
}

async function fetchWhole(file: string, priority: 'auto' | 'low'): Promise<void> {
  const response = await fetch(file, { priority })
  if (!response.ok) throw new TypeError(`${file} did not arrive: ${response.status}`)
  await response.arrayBuffer()
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
