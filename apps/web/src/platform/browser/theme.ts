import { useSyncExternalStore } from 'react'
import { STORAGE_KEYS } from './storageKeys.ts'

export type ThemeChoice = 'system' | 'light' | 'dark'

const KEY = STORAGE_KEYS.theme
const listeners = new Set<() => void>()

export function getThemeChoice(): ThemeChoice {
  const set = document.documentElement.dataset.theme
  return set === 'light' || set === 'dark' ? set : 'system'
}

/** `system` follows the device again. */
export function setThemeChoice(choice: ThemeChoice): void {
  if (choice === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = choice
  try {
    if (choice === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, choice)
  } catch {
    // A browser that refuses storage still switches for this visit.
  }
  for (const listener of listeners) listener()
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    getThemeChoice,
    () => 'system',
  )
}

const DARK = '(prefers-color-scheme: dark)'

/** True while the page is dark, by choice or because the device is. */
export function useDarkTheme(): boolean {
  const choice = useThemeChoice()
  const device = useSyncExternalStore(
    (listener) => {
      const media = window.matchMedia(DARK)
      media.addEventListener('change', listener)
      return () => media.removeEventListener('change', listener)
    },
    () => window.matchMedia(DARK).matches,
    () => false,
  )
  return choice === 'system' ? device : choice === 'dark'
}
