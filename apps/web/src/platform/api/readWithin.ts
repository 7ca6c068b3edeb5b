/**
 * A `fetch` whose reads end with an error where the answer is not there after `milliseconds`: on a line that went silent they would never
 * end, and nothing would be tried again. What is sent waits for its answer however long that takes: it may have been done.
 */
export function readWithin(milliseconds: number): typeof fetch {
  return (input, init) => {
    if ((init?.method ?? 'GET').toUpperCase() !== 'GET') return fetch(input, init)
    const request = new AbortController()
    for (const signal of [AbortSignal.timeout(milliseconds), init?.signal]) {
      if (signal?.aborted) request.abort(signal.reason)
      signal?.addEventListener('abort', () => request.abort(signal.reason), { once: true })
    }
    return fetch(input, { ...init, signal: request.signal })
  }
}
