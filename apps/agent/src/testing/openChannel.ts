import type { WorkspaceChannel } from '../doors/workspace/WorkspaceChannel.ts'

/** A stream between a handler and a test: the handler's writes wait until the test takes them, as under flow control. */
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
    /** Output of the handler until it is closed. Reading may be interrupted and resumed. */
    sent: fromHandler.chunks,
    send: (bytes: Uint8Array) => toHandler.put(bytes, ended.signal),
    /** The renter's side stops sending. */
    finish: toHandler.end,
    /** The stream is closed on both sides. */
    close: () => {
      ended.abort()
      toHandler.end()
      fromHandler.end()
    },
  }
}

/** Each chunk is taken before the next one is accepted. */
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
