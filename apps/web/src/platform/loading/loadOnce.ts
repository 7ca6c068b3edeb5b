const AGAIN_MS = 500

/**
 * Starts on the first call; later calls return the same promise. The promise carries its settled state, so that React's `use` reads the
 * value synchronously instead of rendering a fallback first. A failure is retried once, since a phone that switches networks loses requests
 * in flight, and then forgotten: the next call tries again.
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return () => {
    if (loading) return loading
    const again = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS)).then(load)
    const promise = load()
      .catch(again)
      .then(
        (value) => {
          Object.assign(promise, { status: 'fulfilled', value })
          return value
        },
        (error: unknown) => {
          loading = undefined
          throw error
        },
      )
    loading = promise
    return promise
  }
}
