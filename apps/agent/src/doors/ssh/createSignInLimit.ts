const WINDOW_MS = 60_000
const MAX_ADDRESSES = 10_000

/** Counts sign-ins that failed, by the order that they were for and the network they came from. */
export function createSignInLimit({ tries, now = () => performance.now() }: { tries: number; now?: () => number }) {
  const failures = new Map<string, number[]>()
  const recent = (address: string) => (failures.get(address) ?? []).filter((at) => now() - at < WINDOW_MS)
  const write = (address: string, times: number[]) => {
    failures.delete(address)
    if (times.length === 0) return
    if (failures.size >= MAX_ADDRESSES) failures.delete(failures.keys().next().value as string)
    failures.set(address, times)
  }
  return {
    isBlocked: (address: string): boolean => recent(address).length >= tries,
    failed: (address: string): void => write(address, [...recent(address), now()]),
    /** The failure before was not one: the same connection signed in with its next key. */
    forgive: (address: string): void => write(address, recent(address).slice(0, -1)),
  }
}
export type SignInLimit = ReturnType<typeof createSignInLimit>
