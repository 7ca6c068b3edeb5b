import { isOrderSeconds, readDuration, writeDuration } from '@rackfair/rules/duration'
import { MAX_MODEL_BYTES } from '@rackfair/rules/limits'
import { AREAS, REGION } from '@rackfair/rules/node/place'
import { NODE_SORTS, type NodeSort } from '@rackfair/rules/node/sort'
import { TAKES, type Take } from '@rackfair/rules/node/takes'
import { PRESET_NAMES, type PresetName } from '@rackfair/rules/presets'
import { decodeList, encodeList } from '@rackfair/rules/text/queryList'
import { readWish } from '@rackfair/rules/wish/readWish'
import type { NodeQuery } from '@rackfair/sdk/http'
import { along } from './machinePath.ts'
import { PRICE_UNITS, type PriceUnit, UNIT_SORT } from './priceUnit.ts'

/** What a person looks for. Empty texts, empty lists, 0 and false mean: does not matter. Prices and pledge in USD, sizes in GB. */
export interface NodeFilter {
  /** As typed; `understood` parses it. */
  text: string
  gpu: readonly string[]
  cpu: readonly string[]
  minGpus: number
  /** Of one GPU. */
  minVram: number
  /** Of all processors. */
  minCores: number
  minMemory: number
  minDisk: number
  /** Percent, of 30 days without an outage. */
  minReliability: number
  minPledge: string
  minPrice: string
  maxPrice: string
  /** Countries and areas of `AREAS`, any of which will do. */
  region: readonly string[]
  /** The application of the catalogue that has to run. */
  runs: PresetName | ''
  /** How long it is wanted, as `writeDuration` writes it. */
  for: string
  /** What the provider has to take. */
  takes: readonly Take[]
  idle: boolean
  online: boolean
  /** Whether monitors verified its hardware of late. */
  verified: boolean
  sort: NodeSort
  /** What prices are shown for; does not narrow anything. */
  per: PriceUnit
}

export const NO_FILTER: NodeFilter = {
  text: '',
  gpu: [],
  cpu: [],
  minGpus: 0,
  minVram: 0,
  minCores: 0,
  minMemory: 0,
  minDisk: 0,
  minReliability: 0,
  minPledge: '',
  minPrice: '',
  maxPrice: '',
  region: [],
  runs: '',
  for: '',
  takes: [],
  idle: false,
  online: false,
  verified: false,
  sort: 'perGpu',
  per: 'gpu',
}

/** Characters of the search field. */
export const MAX_SENTENCE = 160

/** Of one kind; as many, with every comma encoded, as the platform reads. */
export const MAX_MODELS = 10

/** As for models, of countries and areas. */
export const MAX_PLACES = 30

/** Parses the page's query string. Invalid values are ignored, so a shared link always shows a list. */
export function readNodeFilter(params: URLSearchParams): NodeFilter {
  const sort = params.get('sort') as NodeSort | null
  return {
    text: (params.get('text') ?? '').trim().slice(0, MAX_SENTENCE),
    gpu: models(params.get('gpu')),
    cpu: models(params.get('cpu')),
    minGpus: whole(params.get('minGpus'), 4096),
    minVram: whole(params.get('minVram'), 4096),
    minCores: whole(params.get('minCores'), 2 ** 20),
    minMemory: whole(params.get('minMemory'), 2 ** 20),
    minDisk: whole(params.get('minDisk'), 2 ** 20),
    minReliability: whole(params.get('minReliability'), 100),
    minPledge: dollars(params.get('minPledge')),
    minPrice: dollars(params.get('minPrice')),
    maxPrice: dollars(params.get('maxPrice')),
    region: decodeList(params.get('region') ?? '')
      .filter((place) => REGION.test(place) || AREAS.includes(place))
      .slice(0, MAX_PLACES),
    runs: PRESET_NAMES.find((name) => name === params.get('runs')) ?? '',
    for: duration(params.get('for')),
    takes: TAKES.filter((take) => decodeList(params.get('takes') ?? '').includes(take)),
    idle: params.get('idle') === 'true',
    online: params.get('online') === 'true',
    verified: params.get('verified') === 'true',
    sort: sort !== null && NODE_SORTS.includes(sort) ? sort : NO_FILTER.sort,
    per: PRICE_UNITS.find((unit) => unit === params.get('per')) ?? NO_FILTER.per,
  }
}

/** The platform's query, and but for the unit of prices the page's address. What does not matter is left out. */
export function nodeQueryOf(filter: NodeFilter): NodeQuery {
  return {
    ...(filter.text === '' ? {} : { text: filter.text }),
    ...(filter.gpu.length === 0 ? {} : { gpu: encodeList(filter.gpu) }),
    ...(filter.cpu.length === 0 ? {} : { cpu: encodeList(filter.cpu) }),
    ...(filter.minGpus === 0 ? {} : { minGpus: filter.minGpus }),
    ...(filter.minVram === 0 ? {} : { minVram: filter.minVram }),
    ...(filter.minCores === 0 ? {} : { minCores: filter.minCores }),
    ...(filter.minMemory === 0 ? {} : { minMemory: filter.minMemory }),
    ...(filter.minDisk === 0 ? {} : { minDisk: filter.minDisk }),
    ...(filter.minReliability === 0 ? {} : { minReliability: filter.minReliability }),
    ...(filter.minPledge === '' ? {} : { minPledge: filter.minPledge }),
    ...(filter.minPrice === '' ? {} : { minPrice: filter.minPrice }),
    ...(filter.maxPrice === '' ? {} : { maxPrice: filter.maxPrice }),
    ...(filter.region.length === 0 ? {} : { region: encodeList(filter.region) }),
    ...(filter.runs === '' ? {} : { runs: filter.runs }),
    ...(filter.for === '' ? {} : { for: filter.for }),
    ...(filter.takes.length === 0 ? {} : { takes: encodeList(filter.takes) }),
    ...(filter.idle ? { idle: true } : {}),
    ...(filter.online ? { online: true } : {}),
    ...(filter.verified ? { verified: true as const } : {}),
    sort: filter.sort,
  }
}

/**
 * With the sentence of the search field taken apart: what it says counts as chosen, what is left of it is looked for as text. What makes no
 * difference stays, since the platform says so.
 */
export function understood(filter: NodeFilter): NodeFilter {
  const { text = '', gpu = [], region = [], sort, term, ignored = [], ...said } = readWish(filter.text)
  return {
    ...filter,
    ...said,
    text: [text, ...ignored].filter(Boolean).join(' '),
    gpu: [...new Set([...filter.gpu, ...gpu])].slice(0, MAX_MODELS),
    region: [...new Set([...filter.region, ...region])].slice(0, MAX_PLACES),
    for: term === undefined ? filter.for : writeDuration(term),
    sort: sort && filter.sort === NO_FILTER.sort ? sort : filter.sort,
  }
}

/** What is looked for goes along to the machine and its purchase: an application of the catalogue or an image of one's own, and for how long. */
export const alongOf = ({ runs, takes, for: written }: NodeFilter): string =>
  along(runs === '' && takes.includes('own_images') ? 'own' : runs, written)

export function writeNodeFilter(filter: NodeFilter): URLSearchParams {
  const words = new URLSearchParams(
    Object.entries(nodeQueryOf(filter)).map(([key, value]): [string, string] => [key, String(value)]),
  )
  if (filter.sort === NO_FILTER.sort) words.delete('sort')
  if (filter.per !== NO_FILTER.per) words.set('per', filter.per)
  return words
}

/** Another unit; an order by price stays one by the price that is shown. */
export function withUnit(filter: NodeFilter, per: PriceUnit): NodeFilter {
  const by = UNIT_SORT[filter.per]
  const sort = filter.sort === by ? UNIT_SORT[per] : filter.sort === `-${by}` ? (`-${UNIT_SORT[per]}` as const) : filter.sort
  return { ...filter, per, sort }
}

/** A click on a column: up, then down, then up again. */
export function toggleSort(sort: NodeSort, column: Exclude<NodeSort, `-${string}` | 'newest'>): NodeSort {
  return sort === column ? `-${column}` : column
}

export function toggleModel(models: readonly string[], model: string, most = MAX_MODELS): readonly string[] {
  return models.includes(model) ? models.filter((other) => other !== model) : [...models, model].slice(-most)
}

/** A name longer than any model's is no model. */
function models(text: string | null): readonly string[] {
  return [...new Set(decodeList(text ?? ''))].filter((name) => name.length <= MAX_MODEL_BYTES).slice(0, MAX_MODELS)
}

function duration(text: string | null): string {
  const seconds = readDuration(text ?? '')
  return seconds !== undefined && isOrderSeconds(seconds) ? writeDuration(seconds) : ''
}

function whole(text: string | null, most: number): number {
  return text !== null && /^\d{1,7}$/.test(text) ? Math.min(most, Number(text)) : 0
}

function dollars(text: string | null): string {
  return text !== null && /^\d{1,12}(\.\d{1,9})?$/.test(text) ? text : ''
}
