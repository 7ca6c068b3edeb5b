import type { WorkspaceChannel } from '../workspace/WorkspaceChannel.ts'

/** A stream between a handler and a test: what the handler writes waits until the test takes it, as credit makes it wait. */
export function openChannel() {
  const ended = new AbortController()
  const toHandler = createQueue()
  const fromHandler = createQueue()
  const channel: WorkspaceChannel = {
    incoming: toHandler.chunks,
    write: (bytes) => fromHandler.put(bytes, ended.signal),
    signal: ended.signal,
  }
  return {
    channel,
    /** What the handler sent, until it is closed. May be left and taken up again. */
    sent: fromHandler.chunks,
    send: (bytes: Uint8Array) => toHandler.put(bytes, ended.signal),
    /** The renter's side sends no more. */
    finish: toHandler.end,
    /** The stream is over on both sides. */
    close: () => {
      ended.abort()
      toHandler.end()
      fromHandler.end()
    },
  }
}

/** Each chunk is taken before the next one is let in. */
function createQueue() {
  let held: { bytes: Uint8Array; taken: () => void } | undefined
  let hasEnded = false
  let wake = () => {}
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    while (!held) {
      if (hasEnded) return { done: true, value: undefined }
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
    const { bytes, taken } = held
    held = undefined
    taken()
    return { done: false, value: bytes }
  }
  let last: Promise<void> = Promise.resolve()
  return {
    chunks: { [Symbol.asyncIterator]: () => ({ next }) } satisfies AsyncIterable<Uint8Array>,
    put(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
      const mine = last.then(
        () =>
          new Promise<void>((resolve, reject) => {
            if (signal.aborted) return reject(signal.reason)
            const onAbort = () => reject(signal.reason)
            signal.addEventListener('abort', onAbort, { once: true })
            const taken = () => {
              signal.removeEventListener('abort', onAbort)
              resolve()
            }
            held = { bytes: Uint8Array.from(bytes), taken }
            wake()
          }),
      )
      last = mine.catch(() => {})
      return mine
    },
    end() {
      hasEnded = true
      wake()
    },
  }
}
