import type { PresetWire } from '../wire/deployment.ts'
import { gpuClass } from './gpuClass.ts'
import type { NodeFacts } from './node.ts'

/** What a machine has too little of for an application; memory and disk in GB. */
export type Lack = { kind: 'gpu' | 'cores' | 'memory' | 'disk'; need: number; have: number }

export interface PresetFit {
  lacks: readonly Lack[]
  /** The recommended GPU where the machine has a weaker one, or one that cannot be compared. */
  otherGpu: { recommended: string; have: string } | undefined
}

/** Whether an application fits a machine. A container's limit is processors times cores. */
export function presetFit(
  preset: Pick<PresetWire, 'gpu' | 'nGPU' | 'cpu' | 'mem' | 'disk'>,
  machine: Omit<NodeFacts, 'id' | 'cpuModel'>,
): PresetFit {
  const all: Lack[] = [
    { kind: 'gpu', need: preset.nGPU, have: machine.nGPU },
    { kind: 'cores', need: preset.cpu, have: machine.nCPU * machine.core },
    { kind: 'memory', need: preset.mem, have: machine.nMEM },
    { kind: 'disk', need: preset.disk, have: machine.nDISK },
  ]
  const other = preset.gpu !== '' && machine.nGPU > 0 && !isAsGood(machine.gpuModel, preset.gpu)
  return {
    lacks: all.filter((part) => part.have < part.need),
    otherGpu: other ? { recommended: preset.gpu, have: machine.gpuModel } : undefined,
  }
}

function isAsGood(model: string, recommended: string): boolean {
  const [have, need] = [gpuClass(model), gpuClass(recommended)]
  return model === recommended || (have !== undefined && need !== undefined && have >= need)
}
