import type { NodeSort } from '@rackfair/rules/node/sort'
import { compare, type Place, placeOf, type SearchIndex } from './SearchIndex.ts'
import type { SearchEntry } from './searchEntryOf.ts'

/** Thrown for a cursor that this search did not issue. */
export class BadCursor extends Error {}

/** Names the position after which the next page begins, so that added and removed nodes do not shift pages. */
export function cursorOf(entry: SearchEntry, sort: NodeSort): string {
  const { rank, key } = placeOf(entry, sort)
  return Buffer.from(JSON.stringify([sort, typeof rank === 'bigint' ? `${rank}n` : rank, key])).toString('base64url')
}

/** How many positions of the sort are before and at the cursor, whether or not its node still exists. */
export function startAfter(index: SearchIndex, sort: NodeSort, cursor: string): number {
  const place = readCursor(cursor, sort)
  const ordered = index.order(sort)
  let low = 0
  let high = ordered.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (compare(sort, placeOf(index.byPrice[ordered[middle] as number] as SearchEntry, sort), place) <= 0) low = middle + 1
    else high = middle
  }
  return low
}

function readCursor(cursor: string, sort: NodeSort): Place {
  let value: unknown
  try {
    value = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw new BadCursor('not a cursor of this search')
  }
  if (!Array.isArray(value) || value.length !== 3) throw new BadCursor('not a cursor of this search')
  const [cursorSort, rank, key] = value as unknown[]
  if (cursorSort !== sort) throw new BadCursor('the cursor belongs to another sort')
  if (typeof key !== 'string') throw new BadCursor('not a cursor of this search')
  if (sort.endsWith('price') || sort.endsWith('perGpu')) {
    if (typeof rank !== 'string' || !/^\d{1,40}n$/.test(rank)) throw new BadCursor('not a cursor of this search')
    return { rank: BigInt(rank.slice(0, -1)), key }
  }
  const expected = sort.endsWith('name') ? 'string' : 'number'
  if (typeof rank !== expected) throw new BadCursor('not a cursor of this search')
  return { rank: rank as string | number, key }
}
