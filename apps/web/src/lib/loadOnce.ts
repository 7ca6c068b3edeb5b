const AGAIN_MS = 500

/**
 * Starts on the first call; later calls return the same promise. It says by itself that it has settled, so that React's `use`
 * takes its value at once instead of drawing a fallback first. A failure is tried once more by itself, since a phone that changes its
 * network loses what is under way, and then forgotten: the next call tries again.
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
