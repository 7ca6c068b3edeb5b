import { CPU_PRESETS, GPU_PRESETS, ONE_CREDIT_WEI } from '@rackfair/core'
import type { Hardware } from './detectHardware.ts'

/** A node as `add_node` takes it. Prices in wei per unit and month. */
export interface NodeInput {
  cpuModel: string
  gpuModel: string
  nCPU: number
  core: number
  nGPU: number
  nMEM: number
  nDISK: number
  pCPU: bigint
  pGPU: bigint
  pMEM: bigint
  pDISK: bigint
}

/** What nodes on the market ask for one unit and month, in wei: the median of a model, or of memory and disk per GB. */
export interface MarketPrice {
  kind: 'cpu' | 'gpu' | 'mem' | 'disk'
  model: string
  unitWei: bigint
}

const MEMORY_CENTS_PER_GB = 50n
const DISK_CENTS_PER_GB = 2n
const CPU_CENTS_PER_CORE = 300n
const GPU_CENTS_UNLISTED = 5000n
const CENT_WEI = ONE_CREDIT_WEI / 100n
const GRAIN_WEI = 1_000_000_000n

/**
 * Splits the machine into `count` nodes that together offer no more than it has. A machine with fewer processors than nodes
 * offers each node part of a processor's cores; one with a single core becomes a single node. A node has GPUs of one model. Prices
 * are the market's median where there is one, else those of the price list.
 */
export function proposeNodes(hardware: Hardware, count: number, market: readonly MarketPrice[] = []): NodeInput[] {
  const { processors, coresPerProcessor, model } = hardware.cpu
  const totalCores = processors * coresPerProcessor
  const nodes = Math.max(1, Math.min(count, totalCores, hardware.memoryGb, hardware.diskGb))
  const whole = Math.floor(processors / nodes)
  const nCPU = Math.max(1, whole)
  const median = (kind: MarketPrice['kind'], wanted: string) =>
    market.find((one) => one.kind === kind && (kind === 'mem' || kind === 'disk' || one.model === wanted))?.unitWei
  const perProcessor = median('cpu', model) ?? cpuPrice(model, coresPerProcessor)
  const core = whole >= 1 ? coresPerProcessor : Math.max(1, Math.floor(totalCores / nodes))
  // Sorted by model, so that like GPUs come to lie in one node as far as possible.
  const gpus = hardware.gpus.map((one) => one.model).sort()
  return Array.from({ length: nodes }, (_, index) => {
    const mine = gpus.splice(0, Math.ceil(gpus.length / (nodes - index)))
    const gpuModel = mine[0] ?? ''
    const nGPU = mine.filter((one) => one === gpuModel).length
    return {
      cpuModel: model,
      gpuModel,
      nCPU,
      core,
      nGPU,
      nMEM: Math.floor(hardware.memoryGb / nodes),
      nDISK: Math.floor(hardware.diskGb / nodes),
      pCPU: roundToGrain(whole >= 1 ? perProcessor : (perProcessor * BigInt(core)) / BigInt(coresPerProcessor)),
      pGPU:
        nGPU > 0
          ? roundToGrain(median('gpu', gpuModel) ?? listPrice(gpuModel, GPU_PRESETS) ?? GPU_CENTS_UNLISTED * CENT_WEI)
          : 0n,
      pMEM: roundToGrain(median('mem', '') ?? MEMORY_CENTS_PER_GB * CENT_WEI),
      pDISK: roundToGrain(median('disk', '') ?? DISK_CENTS_PER_GB * CENT_WEI),
    }
  })
}

/** The price list's, or a plain price per core for a processor that is not on it. */
function cpuPrice(model: string, cores: number): bigint {
  return listPrice(model, CPU_PRESETS) ?? CPU_CENTS_PER_CORE * CENT_WEI * BigInt(cores)
}

function listPrice(model: string, presets: readonly { model: string; usdPerMonth: number }[]): bigint | undefined {
  const preset = presets.find((one) => one.model === model)
  return preset && BigInt(preset.usdPerMonth) * ONE_CREDIT_WEI
}

const roundToGrain = (wei: bigint): bigint => (wei / GRAIN_WEI) * GRAIN_WEI
