import type { NodeOffer } from '@rackfair/rules/node/node'
import type { Preset } from '@rackfair/rules/presets'
import { type FilterChip, filterChips } from './filterChips.ts'
import { NO_FILTER, type NodeFilter } from './nodeFilter.ts'
import { withoutWords } from './withoutWords.ts'

/** Machines that are shown. */
const SHOWN = 3
/** Conditions that are tried without; a shared link may have many. */
const TRIED = 12
/** Conditions that a machine may miss together. */
const MISSED = 4

/** The first machines of a filter, how many there are, and the words that make no difference. */
export type Find = (
  filter: NodeFilter,
  limit: number,
) => Promise<{ total: number; nodes: readonly NodeOffer[]; ignored: readonly string[] }>

/** A machine that misses something, and the search that finds it. */
export interface Nearest {
  node: NodeOffer
  misses: readonly FilterChip[]
  without: NodeFilter
}

/**
 * What comes nearest where nothing has all of it: machines that miss one condition, one of each condition first. Where each machine
 * misses several, conditions that nothing on sale meets go first, then the first that helps, up to four. `app` is the application
 * of the filter: in place of having its image, a machine then has its size.
 */
export async function nearestMatches(asked: NodeFilter, find: Find, app?: Preset): Promise<readonly Nearest[]> {
  const { ignored } = await find(asked, 1)
  const filter = { ...asked, text: withoutWords(asked.text, ignored) }
  const without = (chip: FilterChip) => (chip.kind === 'runs' && app ? withSizeOf(chip.without, app) : chip.without)
  const missed: FilterChip[] = []
  let left = filter
  for (const chip of await impossible(left, find)) {
    const again = filterChips(left).find(({ key }) => key === chip.key)
    if (!again) continue
    left = without(again)
    missed.push(chip)
  }
  if (missed.length > 0) {
    const { nodes, rest } = await findLike(asked, left, find)
    if (nodes.length > 0) return nodes.map((node) => ({ node, misses: missed, without: rest }))
  }
  while (missed.length < MISSED) {
    const chips = filterChips(left).slice(0, TRIED)
    const tries = await Promise.all(chips.map(async (chip) => ({ chip, ...(await findLike(asked, without(chip), find)) })))
    const found = tries.filter(({ nodes }) => nodes.length > 0)
    if (found.length > 0)
      return spread(found.map(({ chip, rest, nodes }) => ({ nodes, misses: [...missed, chip], without: rest })))
    const [first] = tries
    if (!first) return []
    missed.push(first.chip)
    left = first.rest
  }
  return []
}

/** Whoever asks for a GPU that nobody sells is nearer to any other GPU than to the cheapest machine without one. */
const asksForGpu = ({ gpu, minGpus, minVram }: NodeFilter): boolean => gpu.length > 0 || minGpus > 0 || minVram > 0

/** The machines of a search that has lost conditions of `asked`: with any GPU, where one was asked for and there are such. */
async function findLike(asked: NodeFilter, left: NodeFilter, find: Find) {
  if (asksForGpu(asked) && !asksForGpu(left)) {
    const rest = { ...left, minGpus: 1 }
    const { nodes } = await find(rest, SHOWN)
    if (nodes.length > 0) return { nodes, rest }
  }
  return { nodes: (await find(left, SHOWN)).nodes, rest: left }
}

/** Conditions that by themselves leave nothing; where there is but one, it is tried without in any case. */
async function impossible(filter: NodeFilter, find: Find): Promise<readonly FilterChip[]> {
  const chips = filterChips(filter).slice(0, TRIED)
  if (chips.length < 2) return []
  const alone = await Promise.all(chips.map(async (chip) => (await find(only(chip, filter), 1)).total))
  return chips.filter((_, index) => alone[index] === 0)
}

/** A filter of nothing but this condition. */
function only(chip: FilterChip, filter: NodeFilter): NodeFilter {
  const changed = Object.entries(filter).filter(
    ([key, value]) => JSON.stringify(chip.without[key as keyof NodeFilter]) !== JSON.stringify(value),
  )
  const list =
    chip.kind === 'gpu' || chip.kind === 'cpu' || chip.kind === 'region' || chip.kind === 'takes'
      ? { [chip.kind]: [chip.value] }
      : {}
  return { ...NO_FILTER, ...Object.fromEntries(changed), ...list }
}

function withSizeOf(filter: NodeFilter, app: Preset): NodeFilter {
  return {
    ...filter,
    minGpus: Math.max(filter.minGpus, app.gpu.count),
    minVram: Math.max(filter.minVram, app.gpu.memoryGb),
    minCores: Math.max(filter.minCores, app.cores),
    minMemory: Math.max(filter.minMemory, app.memoryGb),
    minDisk: Math.max(filter.minDisk, app.diskGb),
  }
}

/** The first of each try, then the second: no machine twice. */
function spread(tries: readonly (Omit<Nearest, 'node'> & { nodes: readonly NodeOffer[] })[]): readonly Nearest[] {
  const seen = new Set<string>()
  const nearest: Nearest[] = []
  for (let place = 0; place < SHOWN; place += 1)
    for (const { nodes, ...rest } of tries) {
      const node = nodes[place]
      if (!node || seen.has(node.name)) continue
      seen.add(node.name)
      nearest.push({ node, ...rest })
    }
  return nearest.slice(0, SHOWN)
}
