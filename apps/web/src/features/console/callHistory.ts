export interface HistoryEntry {
  /** Unix milliseconds; also the key. */
  time: number
  contract: string
  name: string
  argsText: string
  did: 'read' | 'simulate' | 'send'
  ok: boolean
  /** The result, the error's name or the transaction, on one line. */
  summary: string
}

const KEY = 'rackfair.console'
const MOST = 50
const listeners = new Set<() => void>()
let entries: readonly HistoryEntry[] = read()

/** The calls of this browser session, newest first. */
export function currentHistory(): readonly HistoryEntry[] {
  return entries
}

export function remember(entry: Omit<HistoryEntry, 'time'>): void {
  const time = Math.max(Date.now(), (entries[0]?.time ?? 0) + 1)
  publish([{ ...entry, time }, ...entries].slice(0, MOST))
}

export function forgetHistory(): void {
  publish([])
}

export function subscribeHistory(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function publish(next: readonly HistoryEntry[]): void {
  entries = next
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage the history lives as long as the page.
  }
  for (const listener of listeners) listener()
}

function read(): readonly HistoryEntry[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as HistoryEntry[]) : []
  } catch {
    return []
  }
}
