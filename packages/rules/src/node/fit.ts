import { gpuMemoryGb } from '../gpu/gpuMemory.ts'
import type { Preset } from '../presets.ts'
import { gpuClass } from './gpuClass.ts'
import type { NodeFacts } from './node.ts'

/** A resource that a machine has too little of for an application; memory, of each GPU too, and disk in GB. */
export type Lack = { kind: 'gpu' | 'vram' | 'cores' | 'memory' | 'disk'; need: number; have: number }

export interface PresetFit {
  lacks: readonly Lack[]
  /** The recommended GPU if the machine has a weaker one, or one that cannot be compared. */
  otherGpu: { recommended: string; have: string } | undefined
}

/** Whether an application fits a machine. A container's CPU limit is processors times cores. */
export function presetFit(
  preset: Pick<Preset, 'gpu' | 'cores' | 'memoryGb' | 'diskGb'>,
  machine: Omit<NodeFacts, 'id' | 'cpuModel'>,
): PresetFit {
  const vram = gpuMemoryGb(machine.gpuModel)
  const all: Lack[] = [
    { kind: 'gpu', need: preset.gpu.count, have: machine.nGPU },
    // A model whose memory nobody knows is not judged by it.
    ...(machine.nGPU > 0 && vram !== undefined ? [{ kind: 'vram' as const, need: preset.gpu.memoryGb, have: vram }] : []),
    { kind: 'cores', need: preset.cores, have: machine.nCPU * machine.core },
    { kind: 'memory', need: preset.memoryGb, have: machine.nMEM },
    { kind: 'disk', need: preset.diskGb, have: machine.nDISK },
  ]
  const other = preset.gpu.model !== '' && machine.nGPU > 0 && !isAsGood(machine.gpuModel, preset.gpu.model)
  return {
    lacks: all.filter((part) => part.have < part.need),
    otherGpu: other ? { recommended: preset.gpu.model, have: machine.gpuModel } : undefined,
  }
}

function isAsGood(model: string, recommended: string): boolean {
  const [have, need] = [gpuClass(model), gpuClass(recommended)]
  return model === recommended || (have !== undefined && need !== undefined && have >= need)
}
