import type { NodeSearchQuery } from '@rackfair/protocol/nodeQuery'
import { readDuration, writeDuration } from '@rackfair/rules/duration'
import { encodeList } from '@rackfair/rules/text/queryList'
import { readWish, type Wish } from '@rackfair/rules/wish/readWish'

/** Sentences of which is kept what they say. */
const MAX_KNOWN = 1_000
const known = new Map<string, Wish>()

function wishOf(text: string): Wish {
  const found = known.get(text)
  if (found) return found
  if (known.size >= MAX_KNOWN) known.clear()
  const made = readWish(text)
  known.set(text, made)
  return made
}

/** A query whose sentence has been read. */
export interface WishedQuery extends NodeSearchQuery {
  /** Models that the sentence names beside those of `gpu`. */
  named?: string
  /** Places that it names beside those of `region`. */
  placed?: string
}

/**
 * A query with the sentence in `text` taken apart: what it says holds besides what is asked for. `text` keeps what names and processors are
 * compared with; `ignored` is what makes no difference.
 */
export function wishedQuery(query: NodeSearchQuery): { query: WishedQuery; ignored: readonly string[] } {
  if (query.text === undefined) return { query, ignored: [] }
  const { text, gpu, region, ignored = [], ...wish } = wishOf(query.text)
  const { idle, online, sort, runs, minPrice, maxPrice, term, ...least } = wish
  const made: WishedQuery = { ...query, text: text ?? '' }
  for (const [key, value] of Object.entries(least) as [keyof typeof least, number][]) made[key] = Math.max(value, query[key] ?? 0)
  if (gpu) made[query.gpu ? 'named' : 'gpu'] = encodeList(gpu)
  if (region) made[query.region ? 'placed' : 'region'] = encodeList(region)
  if (idle) made.idle ??= 'true'
  if (online) made.online ??= 'true'
  if (sort) made.sort ??= sort
  if (runs) made.runs ??= runs
  if (term) made.for = writeDuration(Math.max(term, readDuration(query.for ?? '') ?? 0))
  if (minPrice !== undefined && Number(minPrice) > Number(query.minPrice ?? 0)) made.minPrice = minPrice
  if (maxPrice !== undefined && Number(maxPrice) < Number(query.maxPrice ?? Number.POSITIVE_INFINITY)) made.maxPrice = maxPrice
  return { query: made, ignored }
}

/** The words of what is left of a sentence. */
export const wordsOf = ({ text }: Pick<NodeSearchQuery, 'text'>): string[] => text?.split(/\s+/).filter(Boolean) ?? []
