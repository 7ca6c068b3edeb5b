import type { NodeOffer } from '@rackfair/core'
import { NO_FILTER, type NodeFilter } from './nodeFilter.ts'

/** Words of a sentence that are tried. */
const TRIED = 12

/** The first machines of a filter, and how many there are. */
export type Find = (filter: NodeFilter, limit: number) => Promise<{ total: number; nodes: readonly NodeOffer[] }>

/** Of the words of a text, those that no machine on sale has in its name or models. */
export async function unknownWords(text: string, find: Find): Promise<readonly string[]> {
  const words = [...new Set(text.split(' ').filter(Boolean))].slice(0, TRIED)
  const totals = await Promise.all(words.map(async (word) => (await find({ ...NO_FILTER, text: word }, 1)).total))
  return words.filter((_, index) => totals[index] === 0)
}

export function withoutWords(text: string, unknown: readonly string[]): string {
  return text
    .split(' ')
    .filter((word) => word !== '' && !unknown.includes(word))
    .join(' ')
}
