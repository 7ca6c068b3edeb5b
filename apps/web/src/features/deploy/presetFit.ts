import type { OrderWire, PresetWire } from '@rackfair/core/wire'

export type Lack = { kind: 'gpu' | 'cores' | 'memory' | 'disk'; need: number; have: number }

export interface PresetFit {
  /** What the order has too little of; memory and disk in GB. */
  lacks: readonly Lack[]
  /** The recommended GPU where the machine has another one. */
  otherGpu: { recommended: string; have: string } | undefined
}

/** Whether an application fits the resources of an order. A container's limit is processors times cores. */
export function presetFit(
  preset: Pick<PresetWire, 'gpu' | 'nGPU' | 'cpu' | 'mem' | 'disk'>,
  order: Pick<OrderWire, 'r' | 'core' | 'gpuModel'>,
): PresetFit {
  const all: Lack[] = [
    { kind: 'gpu', need: preset.nGPU, have: order.r.nGPU },
    { kind: 'cores', need: preset.cpu, have: order.r.nCPU * order.core },
    { kind: 'memory', need: preset.mem, have: order.r.nMEM },
    { kind: 'disk', need: preset.disk, have: order.r.nDISK },
  ]
  const lacks = all.filter((part) => part.have < part.need)
  const other = preset.gpu !== '' && order.r.nGPU > 0 && order.gpuModel !== preset.gpu
  return { lacks, otherGpu: other ? { recommended: preset.gpu, have: order.gpuModel } : undefined }
}
