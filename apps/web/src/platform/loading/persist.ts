/** Waits before the second and the third try. */
const AGAIN_MS = [500, 1500]

/**
 * Tries three times within seconds: a phone that switches networks, or a laptop that joins another one, loses what is in flight.
 *
 * @throws what the last try throws.
 */
export async function persist<Value>(work: () => Promise<Value>): Promise<Value> {
  for (const wait of AGAIN_MS) {
    try {
      return await work()
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
  return work()
}
