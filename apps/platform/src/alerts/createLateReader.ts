const ASKED_AGAIN_MS = 300_000
/** Where the chain did not answer. */
const RETRY_MS = 10_000
const MAX_KNOWN = 10_000

/** What the chain says of something, at most five minutes old; undefined until that is read. Never waits for the chain. */
export type LateReader<Value> = (key: string) => Value | undefined

export function createLateReader<Value>(read: (key: string) => Promise<Value>, clock: () => number): LateReader<Value> {
  const known = new Map<string, { value: Value | undefined; askedAt: number }>()
  return (key) => {
    const found = known.get(key)
    if (found && clock() - found.askedAt < ASKED_AGAIN_MS) return found.value
    const entry: { value: Value | undefined; askedAt: number } = { value: undefined, askedAt: clock() }
    known.delete(key)
    const [oldest] = known.keys()
    if (known.size >= MAX_KNOWN && oldest !== undefined) known.delete(oldest)
    known.set(key, entry)
    read(key).then(
      (value) => {
        entry.value = value
      },
      () => {
        entry.askedAt += RETRY_MS - ASKED_AGAIN_MS
      },
    )
    return undefined
  }
}
