/** Concurrent requests. */
const AT_ONCE = 8

/** Handles many things, eight at a time. Begins none after the first error, which it throws. */
export async function eachAtOnce<Item>(items: Iterable<Item>, handle: (item: Item) => Promise<unknown>): Promise<void> {
  const waiting = [...items]
  const worker = async () => {
    while (waiting.length > 0) await handle(waiting.shift() as Item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker)).finally(() => waiting.splice(0))
}
