const AGAIN_MS = 1000
const MAX_ATTEMPTS = 4

/** Fetches the app's files without running them. */
export function preload(files: readonly string[]): void {
  for (const href of files) {
    if (document.querySelector(`link[rel=modulepreload][href="${href}"]`)) continue
    const link = Object.assign(document.createElement('link'), { rel: 'modulepreload', crossOrigin: '', href })
    document.head.append(link)
  }
}

/** Runs the app. Where it does not arrive it is asked for again, for somebody may wait for it; at last the page itself is. */
export function loadProgram(src: string, attempts = 1): void {
  const again = () => (attempts < MAX_ATTEMPTS ? loadProgram(src, attempts + 1) : location.reload())
  const script = document.createElement('script')
  Object.assign(script, { type: 'module', crossOrigin: '', src })
  script.onerror = () => {
    script.remove()
    if (navigator.onLine) setTimeout(again, AGAIN_MS * 2 ** attempts)
    else window.addEventListener('online', again, { once: true })
  }
  document.head.append(script)
}
