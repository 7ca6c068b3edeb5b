import { CARDS, type Card, REFITTED } from './gpuCards.ts'

/** A GPU's name, taken apart. */
export interface GpuName {
  /** As its maker sells it, with all that makes it another card: `RTX 4090`, `RTX 4090 Laptop`, `A100`. */
  card: string
  /** How it is built in, where the name says it. */
  form: 'SXM' | 'PCIe' | undefined
  /** GB of the whole card, where the name says it. */
  memoryGb: number | undefined
  /** A part of a card that is sold as a GPU: `MIG 1g.10gb`, `8Q`. `MIG` alone is any. */
  slice: string | undefined
  /** How many were named with it, as in `2x` and `:2`. */
  count: number | undefined
}

/** A name within a text, between two positions. */
export interface FoundGpu extends GpuName {
  from: number
  to: number
  /** Only the number of a series, which may be something else. */
  bare: boolean
}

/** No model of the market is longer. */
const MAX_NAME_LENGTH = 100

/** Of one GPU. Where a name says more, as `GH200 480GB` does, it means the memory of the processor beside it. */
const MAX_MEMORY_GB = 300

/** Between the parts of a name, whoever writes it. */
const S = String.raw`[\s_\-/]*`
const TOKENS: Record<string, string> = {
  Quadro: '(?:quadro|q)',
  'Max-Q': String.raw`(?:with${S})?max[\s_-]?q`,
  Laptop: '(?:laptop|mobile)',
  SUPER: '(?:super|s)',
}
const MAKER = String.raw`(?:nvidia|amd|ati|intel|corporation|geforce|tesla|radeon(?:[\s_-]+pro)?|instinct|quadro|vendor|model)[\s_\-/:]+`

/** The pattern of a name. Its series may be left out, since the number says it. */
function patternOf({ name }: Card): string {
  const words = name.split(' ').map((word) => TOKENS[word] ?? word)
  const [series = '', ...rest] = words
  // Some write the two suffixes the other way round.
  const written = rest.join(S).replace(`Ti${S}${TOKENS.SUPER}`, `(?:Ti${S}${TOKENS.SUPER}|${TOKENS.SUPER}${S}Ti)`)
  if (/^(?:[RG]TX|Arc)$/.test(series)) return `(?:${series}${S})?${written}`
  return [series, ...(rest.length > 0 ? [written] : [])].join(S)
}

const PATTERNS = CARDS.map((card) => [card, patternOf(card)] as const)
const KNOWN = PATTERNS.map(([card, pattern]) => [card, new RegExp(`^${pattern}$`, 'i')] as const)
const NAME = new RegExp(
  String.raw`(?:(?<![\p{Script=Latin}\d.])|(?<=\d\s?[x×*]))(?:${MAKER})*(${PATTERNS.map(([, pattern]) => pattern).join('|')})(?![a-z\d])`,
  'giu',
)

/** What may follow a name, one after the other. */
const VARIANT = new RegExp(`${S}(?:with${S})?(laptop|mobile|max[\\s_-]?q|ti|super|xtx|xt|d)(?![a-z\\d])`, 'iuy')
const FORM = new RegExp(`${S}\\(?(sxm\\d?|pci-?e)\\)?(?![a-z\\d])`, 'iuy')
const NOISE = new RegExp(
  `${S}(?:gpu|graphics|generation|design|workstation|server|edition|blackwell|oam|accelerator|hbm\\d?e?|gddr\\d+x?|nvl\\d*|mega|interface|ram)(?![a-z\\d])`,
  'iuy',
)
const SLICE = new RegExp(String.raw`${S}(?:mig${S})?((?:\d+c\.)?\d+g\.\d+gb(?:\+\w+)?)(?![a-z\d])`, 'iuy')
const ANY_SLICE = new RegExp(`${S}mig(?![a-z\\d])`, 'iuy')
const VIRTUAL = /[\s_-](\d{1,3}[qcba])(?![a-z\d])/iuy
const MEMORY = /([\s_\-/:]*)\(?(\d{1,3})\s?g(?:ib?|b)?\)?(?![a-z\d.])/iuy
const COUNT = /(?::|\s?[x×*]\s?)(\d{1,2})(?![\d.])(?!\s?[gt]i?b?(?![a-z]))/iuy

/**
 * The names of GPUs in a text, as people, drivers, schedulers and other markets write them: `2x rtx4090`, `NVIDIA A100-SXM4-80GB`,
 * `RTX_3090_Ti`, `A100-80GB:1`, `nvidia-h100-80gb`. A size that stands apart counts only if the card is sold with it: in `RTX 4090 64 GB` it
 * is another memory.
 */
export function findGpus(text: string, { whole = false }: { whole?: boolean } = {}): FoundGpu[] {
  return [...text.matchAll(NAME)].map((match) => {
    const written = match[1] ?? ''
    const [card] = KNOWN.find(([, pattern]) => pattern.test(written)) as (typeof KNOWN)[number]
    const found: FoundGpu = {
      ...{ card: card.name, form: undefined, memoryGb: undefined, slice: undefined, count: undefined },
      ...{ from: match.index, to: match.index + match[0].length, bare: /^\d+$/.test(match[0]) },
    }
    const after = (pattern: RegExp): RegExpExecArray | undefined => {
      pattern.lastIndex = found.to
      return pattern.exec(text) ?? undefined
    }
    for (;;) {
      const said = readPart(found, after, whole)
      if (said === undefined) return found
      found.to += said.length
      if (said.trim() !== '') found.bare = false
    }
  })
}

/** Reads the next part of a name into it. Returns the text of that part, or undefined if the name has ended. */
function readPart(found: FoundGpu, after: (pattern: RegExp) => RegExpExecArray | undefined, whole: boolean): string | undefined {
  const variant = after(VARIANT)
  if (variant?.[1] !== undefined) {
    found.card = `${found.card} ${titleOf(variant[1])}`
    return variant[0]
  }
  const form = after(FORM)
  if (form?.[1] !== undefined) {
    found.form = /^pci/i.test(form[1]) ? 'PCIe' : 'SXM'
    return form[0]
  }
  const slice = after(SLICE) ?? after(ANY_SLICE)
  if (slice) {
    found.slice = slice[1] === undefined ? 'MIG' : `MIG ${slice[1].toLowerCase()}`
    return slice[0]
  }
  const virtual = after(VIRTUAL)
  if (virtual?.[1] !== undefined && (whole || virtual[0].startsWith('-'))) {
    found.slice = virtual[1].toUpperCase()
    return virtual[0]
  }
  const memory = after(MEMORY)
  if (memory && found.memoryGb === undefined) {
    const size = Number(memory[2])
    const isAttached = /^[_\-/:]$/.test(memory[1] ?? '')
    if (whole || isAttached || isMemoryOf(found.card, size)) {
      if (size > 0 && size <= MAX_MEMORY_GB) found.memoryGb = size
      return memory[0]
    }
  }
  const count = after(COUNT)
  if (count && found.count === undefined) {
    found.count = Number(count[1])
    return count[0]
  }
  return after(NOISE)?.[0]
}

const titleOf = (word: string): string => {
  const lower = word.toLowerCase()
  if (/^max/.test(lower)) return 'Max-Q'
  if (/^(?:laptop|mobile)$/.test(lower)) return 'Laptop'
  return lower === 'ti' ? 'Ti' : lower.toUpperCase()
}

/** The name that a whole text is; undefined if it is none, or an unknown one. */
export function readGpuName(text: string): GpuName | undefined {
  const clean = plain(text)
  const [found, ...others] = findGpus(clean, { whole: true })
  // Another word may be what makes it another card.
  if (!found || others.length > 0 || /^[^\d]/.test(clean.slice(found.to).trim())) return undefined
  const before = clean.slice(0, found.from).trim()
  const { from: _, to: __, bare: ___, ...name } = found
  if (before === '') return name
  const counted = /^(\d{1,2})\s?[x×*]?$/.exec(before)?.[1]
  return counted === undefined ? undefined : { ...name, count: Number(counted) }
}

/** Without marks, and with a laptop's size after the word, where other names have it. */
function plain(text: string): string {
  return text
    .slice(0, MAX_NAME_LENGTH)
    .normalize('NFKC')
    .replace(/\((?:r|tm|c)\)|[®™©]/gi, ' ')
    .replace(/(\d{1,2}\s?gb)[\s_-]+(laptop|mobile)/i, '$2 $1')
    .replace(/\s+/g, ' ')
    .trim()
}

/** GB that a card is sold with, the most common size first; empty for an unknown one. */
export const memoryOf = (card: string): readonly number[] => CARDS.find(({ name }) => name === card)?.memory ?? []

/** Whether a card is offered with as many GB: as it is sold, or as others refit it. */
export const isMemoryOf = (card: string, gb: number): boolean =>
  memoryOf(card).includes(gb) || REFITTED[card]?.includes(gb) === true

/**
 * One spelling for all names of the same model, which is its key too: `NVIDIA A100-SXM4-80GB` and `a100_sxm 80G` are `A100 SXM 80GB`. An
 * unknown name is only freed of its maker.
 */
export function gpuModelOf(text: string): string {
  const name = readGpuName(text)
  if (name) return writeGpuName(name)
  return squeeze(plain(text).replace(/\b(?:nvidia|geforce|amd|radeon|corporation|gpu|graphics)\b/gi, ' ')) || plain(text)
}

/** A name in that spelling, without the count. */
export function writeGpuName({ card, form, memoryGb, slice }: GpuName): string {
  const sizes = memoryOf(card)
  const size = memoryGb === undefined || (sizes.length === 1 && sizes[0] === memoryGb) ? undefined : `${memoryGb}GB`
  return [card, form, size, slice].filter((part) => part !== undefined).join(' ')
}

/** One spelling for all names of the same processor: `Intel(R) Xeon(R) Silver 4316 CPU @ 2.30GHz` is `Xeon Silver 4316`. */
export function cpuModelOf(text: string): string {
  const clean = plain(text.replace(/@.*$/, ' '))
  return squeeze(clean.replace(/\b(?:Intel|AMD|GenuineIntel|AuthenticAMD|CPU|Processor|\d+-Core)\b/gi, ' ')) || clean
}

/** GB of one GPU of this name: that of the slice, else the size in the name, else the smallest that the card is sold with. */
export function memoryGbOf({ card, memoryGb, slice }: GpuName): number | undefined {
  if (slice !== undefined) {
    const size = /(\d+)gb|^(\d+)[QCBA]$/i.exec(slice)
    return size ? Number(size[1] ?? size[2]) : undefined
  }
  return memoryGb ?? memoryOf(card).toSorted((a, b) => a - b)[0]
}

/** The same for every spelling of a model of `kind` `gpu` or `cpu`, as medians and price rules go by it; empty for memory and storage. */
export function modelKey(kind: string, name: string): string {
  return (kind === 'gpu' ? gpuModelOf(name) : kind === 'cpu' ? cpuModelOf(name) : '').toLowerCase()
}

const squeeze = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Whether an offered model is what somebody asks for by name: what the question leaves open matches whatever is offered. */
export function isGpu(wanted: string, offered: string): boolean {
  const want = readGpuName(wanted)
  const has = readGpuName(offered)
  if (want && has) return isSameGpu(want, has)
  return modelKey('gpu', wanted) === modelKey('gpu', offered)
}

/** As `isGpu`, of names that have been read. */
export function isSameGpu(want: GpuName, has: GpuName): boolean {
  if (want.card !== has.card) return false
  if (want.form !== undefined && has.form !== undefined && want.form !== has.form) return false
  if (want.slice !== has.slice && !(want.slice === 'MIG' && has.slice?.startsWith('MIG'))) return false
  if (want.memoryGb === undefined) return true
  return has.slice === undefined ? memoryGbOf(has) === want.memoryGb : [undefined, want.memoryGb].includes(has.memoryGb)
}

const MAX_NEAREST = 3
/** Of the pairs of both names. */
const MIN_LIKENESS = 0.4

/** The models that come nearest to a name which none has, the nearest first: those that share most pairs of letters. */
export function nearestModels(wanted: string, offered: readonly string[]): string[] {
  const pairs = (text: string) => {
    const letters = gpuModelOf(text)
      .toLowerCase()
      .replace(/[^\p{L}\d]/gu, '')
    return new Set(Array.from({ length: Math.max(0, letters.length - 1) }, (_, at) => letters.slice(at, at + 2)))
  }
  const own = pairs(wanted)
  const alike = (text: string) => {
    const others = pairs(text)
    return (2 * [...own].filter((pair) => others.has(pair)).length) / Math.max(1, own.size + others.size)
  }
  return offered
    .map((model) => ({ model, likeness: alike(model) }))
    .filter(({ likeness }) => likeness >= MIN_LIKENESS)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_NEAREST)
    .map(({ model }) => model)
}
