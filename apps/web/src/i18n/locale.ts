import { useSyncExternalStore } from 'react'
import { loadChinese } from './defineMessages.ts'

export type Locale = 'en' | 'zh'

const KEY = 'rackfair.locale'
const listeners = new Set<() => void>()
let current: Locale = readStored()

export function getLocale(): Locale {
  return current
}

/** Keeps the choice in this browser. What is on screen stays until the new language has been loaded; rejects, and changes nothing, if it cannot be. */
export async function setLocale(locale: Locale): Promise<void> {
  if (locale === 'zh') await loadChinese()
  try {
    localStorage.setItem(KEY, locale)
  } catch {
    // A browser that refuses storage still switches for this visit.
  }
  current = locale
  tellPlatform()
  document.documentElement.lang = locale
  for (const listener of listeners) listener()
}

/** From the next page on the platform draws in the language chosen. */
export function tellPlatform(): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store
  document.cookie = `${KEY}=${current}; path=/; max-age=31536000; samesite=lax`
}

/** Where there is no browser, one page after the other is drawn. */
export function drawIn(locale: Locale): void {
  current = locale
}

export function useLocale(): Locale {
  return useSyncExternalStore(subscribe, getLocale, getLocale)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readStored(): Locale {
  try {
    return localStorage.getItem(KEY) === 'zh' ? 'zh' : 'en'
  } catch {
    return 'en'
  }
}
