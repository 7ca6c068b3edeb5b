import type { NodeWire } from '@rackfair/protocol/nodes'
import { gpuMemoryGb } from '@rackfair/rules/gpu/gpuMemory'
import { type GpuName, gpuModelOf, isSameGpu, modelKey, readGpuName } from '@rackfair/rules/gpu/gpuName'

/** A model as a provider wrote it, read once. */
export interface Model {
  /** The same for every spelling of a model. */
  key: string
  /** One spelling for all of them. */
  label: string
  /** GB of one GPU; 0 if unknown. */
  memoryGb: number
  gpu: GpuName | undefined
}

/** Providers can invent names: what was read of more of them than this is forgotten. */
const MAX_KNOWN = 20_000
const known = { gpu: new Map<string, Model>(), cpu: new Map<string, Model>() }

/** What a name says, as `readGpuName` and `modelKey` read it. */
export function modelOf(kind: 'gpu' | 'cpu', name: string): Model {
  const found = known[kind].get(name)
  if (found) return found
  const gpu = kind === 'gpu' ? readGpuName(name) : undefined
  const made: Model = {
    key: modelKey(kind, name),
    label: gpu ? gpuModelOf(name) : name,
    gpu,
    memoryGb: gpu || kind === 'gpu' ? (gpuMemoryGb(name) ?? 0) : 0,
  }
  if (known[kind].size >= MAX_KNOWN) known[kind].clear()
  known[kind].set(name, made)
  return made
}

/** Whether machines with this model are what somebody asks for by name. */
export function isModel(kind: 'gpu' | 'cpu', wanted: string, offered: string): boolean {
  const [want, has] = [modelOf(kind, wanted), modelOf(kind, offered)]
  return want.gpu && has.gpu ? isSameGpu(want.gpu, has.gpu) : want.key === has.key
}

/** What a node is compared with: others with its GPU, or with its CPU if it has none. */
export const comparedModel = ({ gpu, cpu }: Pick<NodeWire, 'gpu' | 'cpu'>): string =>
  gpu.num > 0 ? `gpu ${modelOf('gpu', gpu.model).key}` : `cpu ${modelOf('cpu', cpu.model).key}`
