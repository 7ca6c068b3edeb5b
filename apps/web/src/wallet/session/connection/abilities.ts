import { lowerCaseAddress } from '@rackfair/rules/address'
/** A way to pay that an account may turn out not to have, whatever its wallet says of itself. */
export type PayingWay = 'batch' | 'permit'

const KEY = 'rackfair.unableAccounts'
/** Accounts that are remembered. */
const MOST = 20

type Entry = [account: string, ways: readonly string[]]

/** What an account in a wallet was found unable to do, in this browser: it is not tried again. */
export function isUnable(wallet: string, account: string, way: PayingWay): boolean {
  const name = nameOf(wallet, account)
  return read().some(([known, ways]) => known === name && ways.includes(way))
}

export function noteUnable(wallet: string, account: string, way: PayingWay): void {
  const name = nameOf(wallet, account)
  const list = read()
  const ways = list.find(([known]) => known === name)?.[1] ?? []
  const next: Entry[] = [[name, [...new Set([...ways, way])]], ...list.filter(([known]) => known !== name)]
  kept = next.slice(0, MOST)
  try {
    localStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Without storage it is remembered for this visit.
  }
}

let kept: Entry[] = []

function read(): Entry[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? 'null')
    return Array.isArray(stored) ? stored.filter(isEntry) : kept
  } catch {
    return kept
  }
}

const isEntry = (entry: unknown): entry is Entry =>
  Array.isArray(entry) &&
  typeof entry[0] === 'string' &&
  Array.isArray(entry[1]) &&
  entry[1].every((way) => typeof way === 'string')

const nameOf = (wallet: string, account: string): string => `${wallet} ${lowerCaseAddress(account)}`
