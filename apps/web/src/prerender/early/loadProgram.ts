import { arrive } from '../../platform/loading/arrive.ts'

const AGAIN_MS = 1000
const MAX_ATTEMPTS = 4

/** Runs the app once its files are loaded. Failed files are retried, since a user may be waiting; as a last resort the page is reloaded. */
export async function loadProgram(program: string, files: readonly string[]): Promise<void> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    try {
      await arrive([program, ...files])
      const script = document.createElement('script')
      Object.assign(script, { type: 'module', crossOrigin: '', src: program })
      document.head.append(script)
      return
    } catch {
      await new Promise((resolve) => {
        if (navigator.onLine) setTimeout(resolve, AGAIN_MS * 2 ** attempt)
        else window.addEventListener('online', resolve, { once: true })
      })
    }
  }
  location.reload()
}
