import { createStore } from '../../ui/createStore.ts'

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
const entries = createStore(read())

/** The calls of this browser session, newest first. */
export const currentHistory = entries.get
export const subscribeHistory = entries.subscribe

export function remember(entry: Omit<HistoryEntry, 'time'>): void {
  const time = Math.max(Date.now(), (entries.get()[0]?.time ?? 0) + 1)
  publish([{ ...entry, time }, ...entries.get()].slice(0, MOST))
}

export function forgetHistory(): void {
  publish([])
}

function publish(next: readonly HistoryEntry[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage the history lives as long as the page.
  }
  entries.set(next)
}

function read(): readonly HistoryEntry[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? (kept as HistoryEntry[]) : []
  } catch {
    return []
  }
}
