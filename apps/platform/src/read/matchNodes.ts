import type { PresetWire } from '@rackfair/protocol/presets'
import { lowerCaseAddress } from '@rackfair/rules/address'
import { readDuration } from '@rackfair/rules/duration'
import { readGpuName } from '@rackfair/rules/gpu/gpuName'
import { parseCredit } from '@rackfair/rules/money'
import { countriesIn, isDriverFrom } from '@rackfair/rules/node/place'
import { imageState } from '@rackfair/rules/node/takes'
import { decodeList } from '@rackfair/rules/text/queryList'
import { isWordOf } from './isWordOf.ts'
import { isModel } from './models.ts'
import type { Matching, Models, SearchIndex } from './SearchIndex.ts'
import { type WishedQuery, wordsOf } from './wishedQuery.ts'

/** The requirements of the application that a search names. */
export type AppNeeds = Pick<PresetWire, 'name' | 'image' | 'nGPU' | 'vram' | 'cpu' | 'mem' | 'disk' | 'access' | 'ports'>

/**
 * One pass over the columns of the index. For another page, sort or price range, the result is reused. `app` is the application that `runs`
 * names.
 */
export function matchNodes(index: SearchIndex, query: WishedQuery, app?: AppNeeds): Matching {
  const { minPrice: _, maxPrice: __, sort: ___, cursor: ____, limit: _____, ...filters } = query
  const key = JSON.stringify([filters, app?.name])
  const known = index.kept.get(key)
  if (known) return known
  const { byPrice, columns } = index
  const { text, mem, disk, gpus: gpuCount, vram, cores, chance, sold, online, verified } = columns
  const wanted = {
    words: wordsOf(query)
      .map((word) => word.toLowerCase())
      .filter((word) => index.hasWord(word)),
    provider: query.provider && lowerCaseAddress(query.provider),
    pledge: query.minPledge === undefined ? undefined : parseCredit(query.minPledge),
    mem: Math.max(query.minMemory ?? 0, app?.mem ?? 0),
    disk: Math.max(query.minDisk ?? 0, app?.disk ?? 0),
    gpus: Math.max(query.minGpus ?? 0, app?.nGPU ?? 0),
    vram: Math.max(query.minVram ?? 0, app?.vram ?? 0),
    cores: Math.max(query.minCores ?? 0, app?.cpu ?? 0),
    chance: (query.minReliability ?? 0) / 100,
    sold: query.idle === undefined ? undefined : Number(query.idle === 'false'),
    online: query.online === undefined ? undefined : Number(query.online === 'true'),
    countries: [query.region, query.placed].map((text) => countriesIn(decodeList(text ?? ''))).filter(({ size }) => size > 0),
    driver: query.minDriver,
    takes: decodeList(query.takes ?? ''),
    term: query.for === undefined ? undefined : readDuration(query.for),
  }
  const gpus = choiceOf(query.gpu, index.gpus, gpuCount)
  const cpus = choiceOf(query.cpu, index.cpus)
  const named = choiceOf(query.named, index.gpus, gpuCount)
  const places: number[] = []
  const anyGpu = gpus ? [] : places
  const anyCpu = cpus ? [] : places
  const rates: bigint[] = []
  for (let at = 0; at < byPrice.length; at += 1) {
    if ((mem[at] as number) < wanted.mem || (disk[at] as number) < wanted.disk || (gpuCount[at] as number) < wanted.gpus) continue
    if ((vram[at] as number) < wanted.vram || (cores[at] as number) < wanted.cores) continue
    if ((chance[at] as number) < wanted.chance) continue
    if (query.verified !== undefined && verified[at] === 0) continue
    if (wanted.sold !== undefined && sold[at] !== wanted.sold) continue
    if (wanted.online !== undefined && online[at] !== wanted.online) continue
    if (!wanted.words.every((word) => isWordOf(text[at] as string, word))) continue
    if (named?.(at) === false) continue
    if (wanted.provider !== undefined && byPrice[at]?.node.cp !== wanted.provider) continue
    if (wanted.pledge !== undefined && (byPrice[at]?.pledge ?? 0n) < wanted.pledge) continue
    if (wanted.term !== undefined && (byPrice[at]?.node.minTerm ?? 0) > wanted.term) continue
    if (!wanted.countries.every((any) => any.has(byPrice[at]?.node.region ?? ''))) continue
    if (wanted.driver !== undefined && !isDriverFrom(byPrice[at]?.node.driver ?? '0', wanted.driver)) continue
    if (wanted.takes.length > 0 && !wanted.takes.every((one) => byPrice[at]?.node.takes?.some((has) => has === one))) continue
    if (app?.access === 'owner' && byPrice[at]?.node.takes?.includes('protected') === false) continue
    if (app && app.ports.length > 0 && byPrice[at]?.node.takes?.includes('ports') === false) continue
    if (app && imageState(app, byPrice[at]?.node) === 'missing') continue
    const gpuFits = gpus?.(at) ?? true
    const cpuFits = cpus?.(at) ?? true
    if (gpus && cpuFits) anyGpu.push(at)
    if (cpus && gpuFits) anyCpu.push(at)
    if (!gpuFits || !cpuFits) continue
    places.push(at)
    rates.push(columns.rate[at] as bigint)
  }
  const made: Matching = { places, rates, anyGpu, anyCpu }
  index.keep(key, made)
  return made
}

/**
 * Whether a node has one of the chosen models, as many as were named with it. An empty choice is none: it matches all, including nodes
 * without a model.
 */
function choiceOf(
  text: string | undefined,
  { kind, names, of }: Models,
  counts?: Float64Array,
): ((at: number) => boolean) | undefined {
  const chosen = [...new Set(decodeList(text ?? ''))].map((wanted) => ({
    least: readGpuName(wanted)?.count ?? 0,
    allowed: Uint8Array.from(names, (name) => Number(isModel(kind, wanted, name))),
  }))
  if (chosen.length === 0) return undefined
  return (at) => chosen.some(({ least, allowed }) => allowed[of[at] as number] === 1 && (counts?.[at] ?? least) >= least)
}
