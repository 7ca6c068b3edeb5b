import { useSyncExternalStore } from 'react'
import { createStore } from '../ui/createStore.ts'
import { loadChinese } from './defineMessages.ts'

export type Locale = 'en' | 'zh'

const KEY = 'rackfair.locale'
/** `public/boot.js` has decided: what was chosen, else the browser's language. On the server there is none yet. */
const current = createStore<Locale>(globalThis.document?.documentElement.lang === 'zh' ? 'zh' : 'en')

export const getLocale = current.get

/** Keeps the choice in this browser. What is on screen stays until the new language has been loaded; rejects, and changes nothing, if it cannot be. */
export async function setLocale(locale: Locale): Promise<void> {
  if (locale === 'zh') await loadChinese()
  try {
    localStorage.setItem(KEY, locale)
  } catch {
    // A browser that refuses storage still switches for this visit.
  }
  tellPlatform(locale)
  document.documentElement.lang = locale
  current.set(locale)
}

/** The platform renders in the chosen language from the next page load on. */
export function tellPlatform(locale: Locale = current.get()): void {
  // biome-ignore lint/suspicious/noDocumentCookie: not every browser has the Cookie Store
  document.cookie = `${KEY}=${locale}; path=/; max-age=31536000; samesite=lax`
}

/** On the server, pages are rendered one after the other. */
export const drawIn = current.set

export function useLocale(): Locale {
  return useSyncExternalStore(current.subscribe, getLocale, getLocale)
}
