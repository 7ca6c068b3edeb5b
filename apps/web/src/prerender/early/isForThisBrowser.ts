import { STORAGE_KEYS } from '../../platform/browser/storageKeys.ts'

/**
 * Whether the page rendered by the platform differs from what this browser must show: because the browser knows a wallet, a theme, a saved
 * search, another language, or a scroll position to restore after a reload or Back.
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
