import { DAY_SECONDS, HOUR_SECONDS, isOrderSeconds, MIN_ORDER_SECONDS, MONTH_SECONDS } from '../duration.ts'
import { findGpus, type GpuName, isMemoryOf, writeGpuName } from '../gpu/gpuName.ts'
import type { PresetName } from '../presets.ts'
import { PLACES } from './placeNames.ts'

/**
 * What somebody looks for, read out of a sentence. Prices in USD a month as decimals, sizes in GB; `text` is what is left: names, processors,
 * and words that nothing here knows.
 */
export interface Wish {
  text?: string
  /** Models, any of which will do. */
  gpu?: readonly string[]
  minGpus?: number
  minVram?: number
  minCores?: number
  minMemory?: number
  minDisk?: number
  minPrice?: string
  maxPrice?: string
  /** Countries and areas of `AREAS`, in any of which it may stand. */
  region?: readonly string[]
  /** An application of the catalogue. */
  runs?: PresetName
  idle?: true
  online?: true
  sort?: 'price'
  /** For how long, in whole hours, as seconds: a time that an order can last. */
  term?: number
  /** What was understood and makes no difference: a time that no order lasts. */
  ignored?: readonly string[]
}

/** A sentence longer than this is a stranger's. */
const LONGEST = 200
const HOURS_A_MONTH = 720

const NUMBER = String.raw`(?<![\d.])(\d{1,3}(?:,\d{3})+(?![\d,])|\d{1,7}(?:\.\d{1,2})?)(?![\d.]*\d)`
const CURRENCY = String.raw`(?:us\s?\$|\$|usd|美元|美金)`
const AFTER = String.raw`(?:(?:us)?\$(?!\s*\d)|usd(?![a-z])|(?:us\s)?dollars?(?![a-z])|bucks(?![a-z])|美元|美金|美刀|刀|元)`
const PER = String.raw`(?:\s*(?:/|per|a|an|pro|每)?\s*(months?|mo|monat|个?月|hours?|hr|h|stunde|小时)(?![a-z]))?`
const NO_PRICE = String.raw`(?!\s*(?:[gt]i?b?(?![a-z])|gpus?(?![a-z])|cards?(?![a-z])|v?cores?(?![a-z])|kerne?(?![a-z])|v?cpus?(?![a-z])|[核张張块塊片卡颗个]|[x×*]))`
const MONEY = String.raw`${CURRENCY}?\s*${NUMBER}(k(?![a-z]))?\s*${AFTER}?${NO_PRICE}${PER}`
const SURE_MONEY = String.raw`(?:${CURRENCY}\s*${NUMBER}(k(?![a-z]))?\s*${AFTER}?|${NUMBER}(k(?![a-z]))?\s*${AFTER})${PER}`
const word = (words: string) => String.raw`(?:(?<![\p{Script=Latin}\d])(?:${words})(?![\p{Script=Latin}\d]))`
const AT_MOST = String.raw`(?:每个?(?<per>月|小时)\s*)?(?:${word('under|below|less than|cheaper than|(?:no|not) more than|up to|at most|max(?:imum)?\\.?|within|budget(?: of)?:?|unter|höchstens|maximal|bis(?: zu)?')}|<=?|≤|低于|少于|小于|不超过|不高于|不多于|最多|至多|最高|预算(?:是|为)?)`
const AT_LEAST = `(?:${word('over|above|more than|from|at least|min(?:imum)?\\.?|starting at|über|mindestens|ab')}|>=?|≥|高于|多于|大于|超过|不低于|不少于|至少|最少|最低)`
const MORE = String.raw`(?:\s*(?:\+|以上|及以上|起|${word('or more|or better|und mehr')}))?`
const MEASURE = '[张張块塊片颗个卡]'
const CHINESE_COUNTS = '零一二三四五六七八九十'
const COUNT = String.raw`(?:(?<!\d|ryzen\s|ultra\s)\d{1,2}|[一二两双单三四五六七八九十]|${word('one|two|three|four|eight|single|dual|quad')})`
const COUNTED: Record<string, number> = {
  单: 1,
  双: 2,
  两: 2,
  one: 1,
  single: 1,
  two: 2,
  dual: 2,
  three: 3,
  four: 4,
  quad: 4,
  eight: 8,
}
const SIZE = String.raw`${NUMBER}\s*([gt])(?:i?b)?(?![a-z])`
const MEMORY = String.raw`(?:of\s+)?(?:${word('ram|memory|mem|system memory|arbeitsspeicher')}|内存|記憶體)`
const VRAM = String.raw`(?:of\s+)?(?:${word('vram|video memory|video ram|gpu memory|gpu ram|grafikspeicher|videospeicher')}|显存|顯存)`
const DISK = String.raw`(?:of\s+)?(?:${word('disk|storage|ssd|nvme|hdd|space|speicherplatz|festplatte')}|硬盘|存储|磁盘|固态)`

/** Applications as people write them. */
const APPS: readonly (readonly [string, PresetName])[] = [
  [String.raw`stable[\s-]?diffusion|sd[\s-]?next|sdxl`, 'stablediffusion'],
  [String.raw`face[\s-]?fusion`, 'facefusion'],
  ['postgres(?:ql)?', 'postgresql'],
  ['(?:remote|virtual) desktop|(?:no)?vnc', 'desktop'],
  ['nginx', 'nginx'],
  ['apache2?|httpd', 'apache'],
  ['ubuntu|linux shell', 'ubuntu'],
  [String.raw`mefs[\s-]provider`, 'mefs-provider'],
  [String.raw`mefs[\s-]user`, 'mefs-user'],
]
const TO_RUN = `(?:${word('(?:to )?(?:run|host|deploy)|running')}|运行|部署|跑)?\\s*`

/** Units of time as people write them, and their seconds. */
const TIMES: readonly (readonly [string, number])[] = [
  ['(?:min(?:ute)?s?|minuten)(?![a-z])|分钟|分鐘', 60],
  ['(?:hours?|hrs?|h|stunden?)(?![a-z])|[个個]?(?:小时|小時|钟头)', HOUR_SECONDS],
  ['(?:days?|tage?n?)(?![a-z])|[天日]', DAY_SECONDS],
  ['(?:weeks?|wochen?)(?![a-z])|[个個]?(?:星期|礼拜)|周', 7 * DAY_SECONDS],
  ['(?:months?|mo|monate?n?)(?![a-z])|[个個]月', MONTH_SECONDS],
  ['(?:years?|jahre?n?)(?![a-z])|年', 12 * MONTH_SECONDS],
]
/** Numbers of a time that are words; two Chinese digits stand around a ten. */
const TIME_COUNTS: Record<string, number> = {
  ...{ a: 1, an: 1, ein: 1, eine: 1, einen: 1, one: 1, two: 2, zwei: 2, three: 3, drei: 3, four: 4, vier: 4, five: 5, six: 6 },
  ...{
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    twelve: 12,
    'half a': 0.5,
    'half an': 0.5,
    half: 0.5,
    半: 0.5,
    两: 2,
    兩: 2,
    几: Number.NaN,
  },
  ...{ some: Number.NaN, few: Number.NaN, 'a few': Number.NaN, several: Number.NaN, einige: Number.NaN },
}
const CHINESE_TEENS = '[一二三四五六七八九]?十[一二三四五六七八九]?|[一二三四五六七八九]'
const TIME_COUNT = String.raw`\d{1,5}(?:\.\d{1,2})?|${CHINESE_TEENS}|[半两兩几]|${word('half an?|a few|an?|half|some|few|several|eine?[nr]?|einige|one|two|three|four|five|six|seven|eight|nine|ten|twelve|zwei|drei|vier')}`
/** `2 hours`, `1 day 12 hours`, `一周`; not what something costs in it. */
const TIME_PART = String.raw`(?<![\d.$]|\d,(?=\d))(?:${TIME_COUNT})\s*-?\s*(?:${TIMES.map(([names]) => names).join('|')})`
const TIME_PARTS = new RegExp(String.raw`(${TIME_COUNT})\s*-?\s*(${TIMES.map(([names]) => names).join('|')})`, 'giu')
const CHEAP = `${word('(?:the )?cheap(?:est|er|ly)?|inexpensive|affordable|low(?:est)?[ -]?(?:cost|priced?)|günstig(?:e[rns]?|ste[rns]?)?|billig(?:e[rns]?|ste[rns]?)?')}|最?便宜(?:点|一点)?|最?低价|实惠|划算`
const CARDS = `(?:${word('gpus?|graphics cards?|grafikkarten?')}|显卡|顯卡)`
const placesIn = (isLatin: boolean) =>
  [...PLACES.keys()]
    .filter((name) => /\p{Script=Latin}/u.test(name) === isLatin)
    .sort((a, b) => b.length - a.length)
    .join('|')
const PLACE = String.raw`(?:${word('in|within|inside|from|aus')}\s+)?(?:${word('the|den|der|die')}\s+)?(?<![\p{L}\d-])(?<latin>${placesIn(true)})(?![\p{L}\d-])(?:\s+${word('region|based|only')})?|(?:位于|来自|在)?(?<other>${placesIn(false)})(?:地区)?`
/** Stands for a GPU's name that has been read. */
const NAMED = String.raw`[\uE100-\uE1FF]`
const FIRST_NAMED = 0xe100
const PRIVATE = /[\uE000-\uF8FF]/g

type Match = readonly (string | undefined)[] & { groups: Record<string, string | undefined> }
type Reader = (match: Match, named: readonly GpuName[], before: Wish) => Wish
const rule = (pattern: string, read: Reader) => [new RegExp(pattern, 'giu'), read] as const

const atLeast = (size: string, what: string) =>
  String.raw`(?:${AT_LEAST}\s*)?(?:${size}\s*${what}${MORE}|${what}\s*:?\s*(?:${AT_LEAST}\s*)?${size}${MORE})`
const sized = (key: 'minVram' | 'minMemory' | 'minDisk'): Reader => {
  return (match) => {
    const [figure, unit] = found(match)
    return { [key]: gigabytes(figure, unit) }
  }
}

/** Still being typed: `rtx 4090 under `. */
const UNFINISHED = String.raw`(?<!\d\s?)(?:${AT_MOST}|${AT_LEAST}|${word('between')})\s*${CURRENCY}?\s*$|(?<!\d\s)(?<=\s)${CURRENCY}\s*$`

/** In this order: what says what it is goes first, so that a bare figure is read last. Names of GPUs that no price can be are known already. */
const PRICES: readonly (readonly [RegExp, Reader])[] = [
  ...APPS.map(([words, runs]) =>
    rule(`${TO_RUN}(?<![\\p{Script=Latin}\\d-])(?:${words})(?![\\p{Script=Latin}\\d-])`, () => ({ runs })),
  ),
  rule(UNFINISHED, () => ({})),
  rule(
    String.raw`${word('between')}?\s*${CURRENCY}?\s*${NUMBER}\s*(?:${AFTER}\s*)?(?:to|and|bis|und|-|–|~|到|至)\s*${SURE_MONEY}`,
    rangeOf,
  ),
  rule(String.raw`${word('between')}?\s*${CURRENCY}\s*${NUMBER}\s*(?:to|and|bis|und|-|–|~|到|至)\s*${MONEY}`, rangeOf),
  rule(String.raw`${AT_MOST}\s*${MONEY}`, (match) => ({ maxPrice: price(match) })),
  rule(
    String.raw`(?:每个?(月|小时)\s*)?${MONEY}\s*(?:以下|以内|之内|内|${word('or less|max(?:imum)?|oder weniger')})`,
    (match) => ({
      maxPrice: price(match),
    }),
  ),
  rule(String.raw`${AT_LEAST}\s*${SURE_MONEY}`, (match) => ({ minPrice: price(match) })),
  rule(String.raw`${MONEY}\s*(?:以上|起|${word('or more|and up')})`, (match) => ({ minPrice: price(match) })),
  rule(String.raw`${AT_LEAST}\s*${MONEY}(?!\s*[\p{L}\d])`, (match) => ({ minPrice: price(match) })),
  rule(SURE_MONEY, (match) => ({ maxPrice: price(match) })),
  rule(CHEAP, () => ({ sort: 'price' })),
  rule(
    String.raw`(?:${word('for|during|over|über|für')}\s*)?${TIME_PART}(?:(?:\s*,?\s*(?:and\s*)?)${TIME_PART})*`,
    ([said = '']) => termOf(said),
  ),
]

/** The rest, once a number that is no price may be a GPU. */
const PARTS: readonly (readonly [RegExp, Reader])[] = [
  rule(PLACE, ({ groups: { latin = '', other = latin } }) => ({ region: [PLACES.get(other.toLowerCase()) as string] })),
  rule(atLeast(SIZE, VRAM), sized('minVram')),
  rule(atLeast(SIZE, DISK), sized('minDisk')),
  rule(atLeast(SIZE, MEMORY), sized('minMemory')),
  rule(
    String.raw`(?:${AT_LEAST}\s*)?(\d{1,4})\s*-?\s*(?:${word('v?cores?|vcpus?|cpus?|cpu cores|kerne|threads')}|[核個]心?(?:\s*cpu)?)${MORE}`,
    ([, cores]) => ({ minCores: Number(cores) }),
  ),
  rule(String.raw`(?:${AT_LEAST}\s*)?${NUMBER}\s*ti?b(?![a-z])${MORE}`, (match) => ({
    minDisk: gigabytes(found(match)[0], 't'),
  })),
  rule(
    String.raw`(?:(?<first>(?<![\d.])\d{1,3})\s*gi?b?\s+)?(?:(?:${AT_LEAST}\s*)?(?<before>${COUNT})\s*(?:[x×*]|${MEASURE})?\s*)?(?<gpu>${NAMED})(?:\s*(?<cards>${COUNT})\s*${MEASURE})?(?:\s*\(?(?<size>\d{1,3})\s*gi?b?\)?(?![a-z]))?`,
    ({ groups }, named) => {
      const name = named[(groups.gpu?.charCodeAt(0) ?? 0) - FIRST_NAMED] as GpuName
      const count = countOf(groups.before ?? groups.cards) ?? name.count
      const isWhole = name.slice === undefined
      const first = groups.first === undefined ? undefined : Number(groups.first)
      const isOwn = first !== undefined && isMemoryOf(name.card, first)
      return {
        ...(first === undefined ? {} : isOwn ? { minVram: first } : { minMemory: first }),
        gpu: [writeGpuName(isWhole ? { ...name, memoryGb: undefined } : name)],
        ...(count === undefined ? {} : { minGpus: count }),
        ...(isWhole && name.memoryGb !== undefined ? { minVram: name.memoryGb } : {}),
        ...(groups.size === undefined ? {} : { minMemory: Number(groups.size) }),
      }
    },
  ),
  // Beside a count, a size is the machine's.
  rule(
    String.raw`(?<!\d\s?[x×*]?\s?)${CARDS}\s*(?:${word('with|of|has|having|mit')}|有|带)?\s*${AT_LEAST}?\s*${SIZE}${MORE}`,
    sized('minVram'),
  ),
  rule(String.raw`(?:${AT_LEAST}\s*)?${SIZE}${MORE}\s*的?\s*${CARDS}`, sized('minVram')),
  rule(String.raw`(?:${AT_LEAST}\s*)?(${COUNT})\s*(?:[x×*]\s*)?(?:${MEASURE}?\s*${CARDS}|卡)${MORE}`, ([, count]) => ({
    minGpus: countOf(count) ?? 1,
  })),
  rule(String.raw`(?:${word('gpus?')}|显卡)\s*(?:[x×*]|:)\s*(\d{1,2})(?!\d)`, ([, count]) => ({ minGpus: Number(count) })),
  rule(`${word('multi[- ]?gpu')}|多卡`, () => ({ minGpus: 2 })),
  rule(String.raw`(?:${AT_LEAST}\s*)?${SIZE}${MORE}`, (match) => {
    const [figure, unit] = found(match)
    return unit === 't' ? { minDisk: gigabytes(figure, unit) } : { minMemory: gigabytes(figure, unit) }
  }),
  rule(`${word('idle|idling|free|available|frei|verfügbar')}|空闲|可用`, () => ({ idle: true })),
  rule(`${word('online')}|在线`, () => ({ online: true })),
  // Without a number, only where nothing else asks for one.
  rule(CARDS, (_, __, { gpu, minGpus, minVram }) => (gpu || minGpus || minVram ? {} : { minGpus: 1 })),
  rule(
    String.raw`${word('with|and|or|for|of|an?|the|i|we|my|me|in|on|to|it|is|need|want|looking for|find|show|get|give|please|rent|buy|hire|at least|machines?|servers?|nodes?|computers?|instances?|data ?cent(?:er|re)s?|cpus?|processors?|each|any|some|now|monthly|mit|und|oder|für|eine?|mindestens')}|机器|服务器|主机|机房|数据中心|节点|我?(?:想要|想|需要|要|租)|请|找|给我?|租用|用|跑|运行|部署|每月|每小时|一台|卡|[带和或的、，；;,]|(?<=\s|^)[+&|](?=\s|$)`,
    () => ({}),
  ),
]

/**
 * Reads `2x RTX 4090, 64 GB under $300` in English, Chinese or German: models, counts, sizes and prices become conditions, everything else
 * stays text.
 */
export function readWish(typed: string): Wish {
  if (typed.trim() === '') return {}
  const wish: Wish = {}
  const named: GpuName[] = []
  const sentence = typed
    .normalize('NFKC')
    .slice(0, LONGEST)
    .replace(PRIVATE, ' ')
    .replace(/\((?:r|tm)\)|[®™]/gi, ' ')
  let rest = ` ${sentence} `.replace(/\s+/g, ' ')
  rest = read(PRICES, markGpus(rest, named, false), wish, named)
  rest = read(PARTS, markGpus(rest, named, true), wish, named)
  const text = rest.trim().replace(/\s+/g, ' ').slice(0, 100)
  return text === '' ? wish : { text, ...wish }
}

/** Puts a mark in place of each name, in the order of `named`. */
function markGpus(text: string, named: GpuName[], bare: boolean): string {
  let marked = ''
  let at = 0
  for (const found of findGpus(text)) {
    if (found.bare && !bare) continue
    const mark = String.fromCharCode(FIRST_NAMED + named.push(found) - 1)
    marked += `${text.slice(at, found.from)} ${mark} `
    at = found.to
  }
  return marked + text.slice(at)
}

function read(rules: typeof PARTS, text: string, wish: Wish, named: readonly GpuName[]): string {
  let rest = text
  for (const [pattern, reader] of rules)
    rest = rest.replace(pattern, (...args: unknown[]) => {
      const groups = args.at(-1)
      const hasGroups = typeof groups === 'object' && groups !== null
      const texts = args.slice(0, hasGroups ? -3 : -2) as string[]
      Object.assign(
        wish,
        merged(wish, reader(Object.assign(texts, { groups: (hasGroups ? groups : {}) as Match['groups'] }), named, wish)),
      )
      return ' '
    })
  return rest
}

/** What was said later, beside what was said before where both can be. */
function merged(wish: Wish, said: Wish): Wish {
  const { gpu, ignored, minGpus, region } = said
  return {
    ...said,
    ...(gpu ? { gpu: [...new Set([...(wish.gpu ?? []), ...gpu])] } : {}),
    ...(region ? { region: [...new Set([...(wish.region ?? []), ...region])] } : {}),
    ...(ignored ? { ignored: [...(wish.ignored ?? []), ...ignored] } : {}),
    ...(minGpus === undefined ? {} : { minGpus: Math.max(minGpus, wish.minGpus ?? 0) }),
  }
}

/** Of the alternatives of a pattern one has matched. */
const found = (match: Match): string[] => match.slice(1).filter((part): part is string => part !== undefined)

function countOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  return COUNTED[text.toLowerCase()] ?? (/^\d+$/.test(text) ? Number(text) : Math.max(1, CHINESE_COUNTS.indexOf(text)))
}

/** The time that words say, up to a whole hour. */
function termOf(said: string): Wish {
  let seconds = 0
  for (const [, count = '', name = ''] of said.matchAll(TIME_PARTS))
    seconds += timeCountOf(count) * (TIMES.find(([names]) => new RegExp(`^(?:${names})$`, 'iu').test(name))?.[1] ?? Number.NaN)
  const term = Math.max(MIN_ORDER_SECONDS, Math.ceil(seconds / HOUR_SECONDS) * HOUR_SECONDS)
  return seconds > 0 && isOrderSeconds(term) ? { term } : { ignored: [said.trim()] }
}

function timeCountOf(text: string): number {
  const known = TIME_COUNTS[text.toLowerCase()]
  if (known !== undefined || !/[一二三四五六七八九十]/.test(text)) return known ?? Number(text)
  const [tens = '', ones] = text.split('十')
  const digit = (one: string | undefined) => CHINESE_COUNTS.indexOf(one ?? '')
  return ones === undefined ? digit(tens) : (tens === '' ? 1 : digit(tens)) * 10 + (ones === '' ? 0 : digit(ones))
}

function gigabytes(figure: string | undefined, unit: string | undefined): number {
  const amount = Number((figure ?? '0').replaceAll(',', ''))
  return Math.ceil(unit?.toLowerCase() === 't' ? amount * 1000 : amount)
}

function price(match: Match): string {
  const figure = found(match).find((part) => /^[\d,.]+$/.test(part)) ?? '0'
  const thousand = found(match).some((part) => /^k$/i.test(part))
  const hourly = found(match).some((part) => /^(?:h|小时|stunde)/i.test(part))
  return dollars(figure, thousand, hourly)
}

function rangeOf(match: Match): Wish {
  const [low = '0', high = '0'] = found(match).filter((part) => /^[\d,.]+$/.test(part))
  const hourly = found(match).some((part) => /^(?:h|小时|stunde)/i.test(part))
  return { minPrice: dollars(low, false, hourly), maxPrice: dollars(high, false, hourly) }
}

/** In cents, so that 0.35 an hour is 252 a month and nothing else. */
function dollars(figure: string, thousand: boolean, hourly: boolean): string {
  const [whole = '0', decimals = ''] = figure.replaceAll(',', '').split('.')
  const cents = Number(whole) * 100 + Number(decimals.padEnd(2, '0').slice(0, 2))
  const total = cents * (thousand ? 1000 : 1) * (hourly ? HOURS_A_MONTH : 1)
  const rest = total % 100
  return rest === 0 ? String(total / 100) : `${Math.floor(total / 100)}.${String(rest).padStart(2, '0').replace(/0$/, '')}`
}
