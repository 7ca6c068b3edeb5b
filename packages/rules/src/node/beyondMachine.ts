import type { NodeFacts } from './node.ts'

/** The capacity of a whole machine, which its nodes are parts of. Memory and disk in whole GB. */
export interface MachineSize {
  cores: number
  memoryGb: number
  diskGb: number
  gpus: number
}

/** A resource of which nodes together offer more than there is. */
export interface Excess {
  part: 'cpu' | 'memory' | 'storage' | 'gpu'
  offered: number
  there: number
}

/** The resources of which these nodes together offer more than the machine has, and how much; empty if it has enough of all. */
export function beyondMachine(
  nodes: readonly Pick<NodeFacts, 'nCPU' | 'core' | 'nGPU' | 'nMEM' | 'nDISK'>[],
  machine: MachineSize,
): Excess[] {
  const sum = (of: (node: (typeof nodes)[number]) => number) => nodes.reduce((total, node) => total + of(node), 0)
  const all: Excess[] = [
    { part: 'cpu', offered: sum((node) => node.nCPU * node.core), there: machine.cores },
    { part: 'memory', offered: sum((node) => node.nMEM), there: machine.memoryGb },
    { part: 'storage', offered: sum((node) => node.nDISK), there: machine.diskGb },
    { part: 'gpu', offered: sum((node) => node.nGPU), there: machine.gpus },
  ]
  return all.filter(({ offered, there }) => offered > there)
}
