import type { NodeSearchQuery } from '@rackfair/protocol/nodeQuery'
import { MAX_COUNTRIES_LISTED, MAX_MODELS_LISTED, type NodeSearchAnswer } from '@rackfair/protocol/nodes'
import { parseCredit } from '@rackfair/rules/money'
import type { NodeSort } from '@rackfair/rules/node/sort'
import { firstAtLeast, histogramOf } from './histogramOf.ts'
import { type AppNeeds, matchNodes } from './matchNodes.ts'
import type { Facet, Matching, Models, SearchIndex } from './SearchIndex.ts'
import { BadCursor, cursorOf, startAfter } from './searchCursor.ts'
import type { SearchEntry } from './searchEntryOf.ts'
import { wishedQuery, wordsOf } from './wishedQuery.ts'

const DEFAULT_LIMIT = 50
const DEFAULT_SORT: NodeSort = 'price'

export { BadCursor }

/**
 * One page of the nodes that match, with counts of what other choices would leave. Sorted by price, a range is a slice. `app` is the
 * application that `runs` names. Words of the sentence that no node has are ignored, and said to be.
 */
export function searchNodes(index: SearchIndex, asked: NodeSearchQuery, app?: AppNeeds): Omit<NodeSearchAnswer, 'block'> {
  const { query, ignored } = wishedQuery(asked)
  const { places, rates, anyGpu, anyCpu } = matchNodes(index, query, app)
  const min = query.minPrice === undefined ? undefined : parseCredit(query.minPrice)
  const max = query.maxPrice === undefined ? undefined : parseCredit(query.maxPrice)
  const inRange = (match: Pick<Matching, 'places' | 'rates'>) =>
    match.places.slice(
      min === undefined ? 0 : firstAtLeast(match.rates, min),
      max === undefined ? match.rates.length : firstAtLeast(match.rates, max + 1n),
    )
  const found = inRange({ places, rates })
  const all = index.columns.rate
  const range = {
    from: min === undefined ? 0 : firstAtLeast(all, min),
    to: max === undefined ? all.length : firstAtLeast(all, max + 1n),
  }
  // As with models: a filter does not narrow its own count.
  const { idle: _idle, ...anySale } = query
  const { online: _online, ...anyPresence } = query
  const { verified: _verified, ...anyHardware } = query
  const { region: _region, ...anywhere } = query
  const { sold, online: present, verified: tested } = index.columns
  const idle = inRange(matchNodes(index, anySale, app)).reduce((sum, at) => sum + 1 - (sold[at] as number), 0)
  const online = inRange(matchNodes(index, anyPresence, app)).reduce((sum, at) => sum + (present[at] as number), 0)
  const verified = inRange(matchNodes(index, anyHardware, app)).reduce((sum, at) => sum + (tested[at] as number), 0)
  const countries = inRange(matchNodes(index, anywhere, app)).flatMap((at) => index.byPrice[at]?.node.region ?? [])
  const { sort = DEFAULT_SORT, limit = DEFAULT_LIMIT, cursor } = query
  const start = cursor === undefined ? 0 : startAfter(index, sort, cursor)
  const page = sort === 'price' ? pageByPrice(found, start, limit) : pageInOrder(index, found, sort, start, limit)
  const entries = page.slice(0, limit).map((at) => index.byPrice[at] as SearchEntry)
  const last = entries.at(-1)
  return {
    items: entries.map((entry) => ({ ...entry.node, ...index.unitRatesOf(entry) })),
    next: last && page.length > limit ? cursorOf(last, sort) : null,
    total: found.length,
    facets: {
      ...{ gpu: facetOf(index.gpus, anyGpu, range), cpu: facetOf(index.cpus, anyCpu, range) },
      ...{ region: countsOf(countries), idle, online, verified },
    },
    histogram: histogramOf(rates),
    ignored: [...ignored, ...wordsOf(query).filter((word) => !index.hasWord(word.toLowerCase()))],
  }
}

/** How many nodes within these positions each model would leave, the `MAX_MODELS_LISTED` most frequent first. */
function facetOf({ names, of, finds }: Models, places: readonly number[], { from, to }: { from: number; to: number }): Facet {
  const counts = new Int32Array(names.length)
  const countOf = (model: number) => counts[model] as number
  for (let place = firstAtLeast(places, from); place < places.length && (places[place] as number) < to; place += 1) {
    const model = of[places[place] as number] as number
    if (model >= 0) counts[model] = countOf(model) + 1
  }
  const left = [...counts.keys()]
    .filter((model) => countOf(model) > 0)
    .map((model) => ({ model, count: (finds[model] as readonly number[]).reduce((sum, other) => sum + countOf(other), 0) }))
  const listed = left.sort((a, b) => b.count - a.count || a.model - b.model).slice(0, MAX_MODELS_LISTED)
  return listed.map(({ model, count }) => ({ value: names[model] as string, count }))
}

/** How often each value is there, the most frequent first. */
function countsOf(values: readonly string[]): Facet {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_COUNTRIES_LISTED)
}

/** One more than a page, to know whether there is a next one. */
function pageByPrice(found: readonly number[], start: number, limit: number): number[] {
  const first = start === 0 ? 0 : firstAtLeast(found, start)
  return found.slice(first, first + limit + 1)
}

function pageInOrder(index: SearchIndex, found: readonly number[], sort: NodeSort, start: number, limit: number): number[] {
  const isFound = new Uint8Array(index.byPrice.length)
  for (const at of found) isFound[at] = 1
  const order = index.order(sort)
  const page: number[] = []
  for (let place = start; place < order.length && page.length <= limit; place += 1) {
    const at = order[place] as number
    if (isFound[at] === 1) page.push(at)
  }
  return page
}
