/**
 * Starts on the first call; later calls return the same promise. The promise carries its settled state, so that React's `use` reads the
 * value synchronously instead of rendering a fallback first. A failure is forgotten: the next call tries again.
 */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined
  return () => {
    if (loading) return loading
    const promise = load().then(
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
