import { STORAGE_KEYS } from '../lib/storageKeys.ts'

/**
 * Whether the page drawn by the platform is not yet what this browser has to show: it knows a wallet, a theme, a search to watch, another
 * language, or a place on the page to which a reload or a step back returns.
 */
export function isForThisBrowser(root: HTMLElement): boolean {
  if (root.dataset.ahead !== document.documentElement.lang) return true
  const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (visit?.type === 'reload' || visit?.type === 'back_forward') return true
  try {
    return Object.values(STORAGE_KEYS).some((key) => localStorage.getItem(key) !== null)
  } catch {
    return false
  }
}
