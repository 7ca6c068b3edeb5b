import { BROWSER_WALLET_ID } from './catalogue.ts'

const KEY = 'rackfair.recentWallets'
const MOST = 3

export function readRecentWallets(): readonly string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(list) ? list.filter((id): id is string => typeof id === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

/** Puts a wallet at the head of the last three used. One without a name of its own is not remembered: it may be any of them. */
export function noteRecentWallet(id: string): void {
  if (id === BROWSER_WALLET_ID) return
  const next = [id, ...readRecentWallets().filter((other) => other !== id)].slice(0, MOST)
  try {
    localStorage.setItem(KEY, JSON.stringify(next))
  } catch {
    // Without storage the list is in its usual order.
  }
}
