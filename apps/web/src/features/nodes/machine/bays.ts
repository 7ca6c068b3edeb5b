import { gpuMemoryGb } from '@rackfair/rules/gpu/gpuMemory'
import type { NodeOffer } from '@rackfair/rules/node/node'

const MAX_CELLS = 64
const GB_PER_DISK_CELL = 100

/** A part of a machine as cells on its front. */
export interface Bay {
  kind: 'gpu' | 'cpu' | 'memory' | 'storage'
  /** Groups of cells, one for each GPU. */
  groups: number
  /** In each group. */
  cells: number
  /** How much one cell stands for, in cores or GB. */
  per: number
  rows: number
}

/** What the machine has, drawn as cells of one core, one GB or 100 GB; where they would be too many, one stands for 2, 4, 8 or more. */
export function baysOf(node: Pick<NodeOffer, 'cpu' | 'gpu' | 'memoryGb' | 'diskGb'>): readonly Bay[] {
  const { cpu, gpu, memoryGb, diskGb } = node
  const each = gpuMemoryGb(gpu.model) ?? 1
  const bay = (kind: Bay['kind'], groups: number, amount: number, unit: number, rows: number): Bay[] => {
    if (groups === 0 || amount === 0) return []
    let per = unit
    while (groups * Math.ceil(amount / per) > MAX_CELLS) per *= 2
    return [{ kind, groups, cells: Math.ceil(amount / per), per, rows }]
  }
  return [
    ...bay('gpu', Math.min(gpu.count, MAX_CELLS), each, 1, 4),
    ...bay('cpu', 1, cpu.count * cpu.cores, 1, 2),
    ...bay('memory', 1, memoryGb, 1, 4),
    ...bay('storage', 1, diskGb, GB_PER_DISK_CELL, 5),
  ]
}
