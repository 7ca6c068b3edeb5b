import type { NodeInput } from '@rackfair/rules/formRules'
import { ONE_CREDIT_WEI } from '@rackfair/rules/money'
import { CPU_PRESETS, GPU_PRESETS, listPriceWei } from '@rackfair/rules/presets'
import type { Hardware } from './detectHardware.ts'

/** The market's price of one unit per month, in wei: the median of a model, or of memory and disk per GB. */
export interface MarketPrice {
  kind: 'cpu' | 'gpu' | 'mem' | 'disk'
  model: string
  unitWei: bigint
}

/** A proposed price per unit and month, and its source. */
export interface ProposedPrice {
  kind: MarketPrice['kind']
  model: string
  /** Undefined if no price is known: the provider must then name one. */
  unitWei: bigint | undefined
  source: string
}

const MEMORY_CENTS_PER_GB = 50n
const DISK_CENTS_PER_GB = 2n
const CPU_CENTS_PER_CORE = 300n
const CENT_WEI = ONE_CREDIT_WEI / 100n
const GRAIN_WEI = 1_000_000_000n

/** A price for each part of the machine: the market's median where there is one, else the price list's. */
export function proposePrices(hardware: Hardware, market: readonly MarketPrice[]): ProposedPrice[] {
  const { model, coresPerProcessor } = hardware.cpu
  const propose = (
    kind: MarketPrice['kind'],
    wanted: string,
    otherwise: { unitWei: bigint | undefined; source: string },
  ): ProposedPrice => {
    const perGb = kind === 'mem' || kind === 'disk'
    const median = market.find((one) => one.kind === kind && (perGb || one.model === wanted))?.unitWei
    const { unitWei, source } = median ? { unitWei: median, source: 'median of the market' } : otherwise
    return { kind, model: wanted, unitWei: unitWei === undefined ? undefined : roundToGrain(unitWei), source }
  }
  const listed = (wanted: string, presets: readonly { model: string; usdPerMonth: number }[]) => {
    const preset = presets.find((one) => one.model === wanted)
    return preset && { unitWei: listPriceWei(preset), source: 'price list' }
  }
  const perCore = { unitWei: CPU_CENTS_PER_CORE * CENT_WEI * BigInt(coresPerProcessor), source: '3 USD a core' }
  return [
    propose('cpu', model, listed(model, CPU_PRESETS) ?? perCore),
    ...modelsOf(hardware).map((gpu) =>
      propose('gpu', gpu, listed(gpu, GPU_PRESETS) ?? { unitWei: undefined, source: 'no price known' }),
    ),
    propose('mem', '', { unitWei: MEMORY_CENTS_PER_GB * CENT_WEI, source: 'price list' }),
    propose('disk', '', { unitWei: DISK_CENTS_PER_GB * CENT_WEI, source: 'price list' }),
  ]
}

/**
 * Splits the machine into at least `count` nodes that together offer no more than it has. A machine with fewer processors than nodes
 * offers each node part of a processor's cores; one with a single core becomes a single node. A node has GPUs of one model, so there are
 * at least as many nodes as models, and every card is offered, unless the machine has fewer cores than models.
 */
export function proposeNodes(hardware: Hardware, count: number, prices: readonly ProposedPrice[]): NodeInput[] {
  const { processors, coresPerProcessor, model } = hardware.cpu
  const totalCores = processors * coresPerProcessor
  const wished = Math.max(count, modelsOf(hardware).length)
  const nodes = Math.max(1, Math.min(wished, totalCores, hardware.memoryGb, hardware.diskGb))
  const whole = Math.floor(processors / nodes)
  const core = whole >= 1 ? coresPerProcessor : Math.max(1, Math.floor(totalCores / nodes))
  const priceOf = (kind: MarketPrice['kind'], wanted = '') =>
    prices.find((one) => one.kind === kind && one.model === wanted)?.unitWei ?? 0n
  const perProcessor = priceOf('cpu', model)
  return spreadGpus(hardware, nodes).map((gpus) => ({
    cpuModel: model,
    gpuModel: gpus[0] ?? '',
    nCPU: Math.max(1, whole),
    core,
    nGPU: gpus.length,
    nMEM: Math.floor(hardware.memoryGb / nodes),
    nDISK: Math.floor(hardware.diskGb / nodes),
    pCPU: whole >= 1 ? perProcessor : roundToGrain((perProcessor * BigInt(core)) / BigInt(coresPerProcessor)),
    pGPU: gpus[0] === undefined ? 0n : priceOf('gpu', gpus[0]),
    pMEM: priceOf('mem'),
    pDISK: priceOf('disk'),
  }))
}

export const modelsOf = ({ gpus }: Pick<Hardware, 'gpus'>): string[] => [...new Set(gpus.map((one) => one.model))]

/** The GPU models of each node, one model per node; each further node goes to the model with the most GPUs per node. */
function spreadGpus(hardware: Hardware, nodes: number): string[][] {
  const groups = modelsOf(hardware).map((model) => ({
    model,
    cards: hardware.gpus.filter((one) => one.model === model).length,
    nodes: 1,
  }))
  const kept = groups.sort((a, b) => b.cards - a.cards).slice(0, nodes)
  for (let left = nodes - kept.length; left > 0; left -= 1) {
    const fullest = kept.filter((one) => one.cards > one.nodes).sort((a, b) => b.cards / b.nodes - a.cards / a.nodes)[0]
    if (!fullest) break
    fullest.nodes += 1
  }
  const spread = kept.flatMap(({ model, cards, nodes: among }) =>
    Array.from({ length: among }, (_, index) =>
      Array.from({ length: Math.floor(cards / among) + (index < cards % among ? 1 : 0) }, () => model),
    ),
  )
  return [...spread, ...Array.from({ length: nodes - spread.length }, () => [])]
}

const roundToGrain = (wei: bigint): bigint => (wei / GRAIN_WEI) * GRAIN_WEI
