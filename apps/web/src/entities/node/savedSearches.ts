import { useSyncExternalStore } from 'react'
import { STORAGE_KEYS } from '../../platform/browser/storageKeys.ts'

/** A node search that the user wants to be notified about. */
export interface SavedSearch {
  /** The query string of the list. */
  words: string
  /** The machines that it has found already, as `provider/number`: they are no news. */
  seen: readonly string[]
}

const KEY = STORAGE_KEYS.searches
const MAX_SAVED = 10
const MAX_SEEN = 500
const MAX_WORDS = 2000

let saved: readonly SavedSearch[] | undefined
const listeners = new Set<() => void>()
const NONE: readonly SavedSearch[] = []

/** The searches that this browser keeps. Those that are not of its form, perhaps of another version, are left out. */
export function useSavedSearches(): readonly SavedSearch[] {
  return useSyncExternalStore(subscribe, savedSearches, () => NONE)
}

export function savedSearches(): readonly SavedSearch[] {
  saved ??= read()
  return saved
}

/** Keeps a search, or what it has found by now. The oldest gives way where there are too many. */
export function keepSearch(words: string, found: readonly string[]): void {
  const before = savedSearches().find((search) => search.words === words)?.seen ?? []
  const seen = [...new Set([...found, ...before])].slice(0, MAX_SEEN)
  const others = savedSearches().filter((search) => search.words !== words)
  publish([...others, { words, seen }].slice(-MAX_SAVED))
}

export function forgetSearch(words: string): void {
  publish(savedSearches().filter((search) => search.words !== words))
}

/** What has been found now and was not known before. */
export function newlyFound<Item extends { provider: string; nodeId: number }>(
  search: SavedSearch,
  items: readonly Item[],
): readonly Item[] {
  return items.filter((item) => !search.seen.includes(foundKey(item)))
}

export const foundKey = ({ provider, nodeId }: { provider: string; nodeId: number }) => `${provider}/${nodeId}`

function read(): readonly SavedSearch[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(isSearch).slice(-MAX_SAVED) : NONE
  } catch {
    return NONE
  }
}

function isSearch(value: unknown): value is SavedSearch {
  const { words, seen } = (value ?? {}) as Partial<SavedSearch>
  return (
    typeof words === 'string' && words.length <= MAX_WORDS && Array.isArray(seen) && seen.every((key) => typeof key === 'string')
  )
}

function publish(next: readonly SavedSearch[]): void {
  saved = next
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage they last for this visit.
  }
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  const fromOtherTab = (event: StorageEvent) => {
    if (event.key !== KEY && event.key !== null) return
    saved = undefined
    listener()
  }
  listeners.add(listener)
  window.addEventListener('storage', fromOtherTab)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', fromOtherTab)
  }
}
