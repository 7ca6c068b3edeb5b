import type { NodeTable } from '../../store/tables.ts'
import type { Fold } from '../Fold.ts'

/** Adds (1) or subtracts (-1) a node's offer to the totals of its provider and of the network. */
export function countNode(fold: Fold, node: NodeTable, sign: 1 | -1): void {
  const provider = fold.get('provider', node.cp)
  fold.put('provider', {
    ...provider,
    nNode: provider.nNode + sign,
    nMem: provider.nMem + sign * node.nMEM,
    nDisk: provider.nDisk + sign * node.nDISK,
  })
  const stat = fold.get('globalStat', '1')
  fold.put('globalStat', {
    ...stat,
    nodeGlobal: stat.nodeGlobal + sign,
    cpuGlobal: stat.cpuGlobal + sign * node.nCPU,
    gpuGlobal: stat.gpuGlobal + sign * node.nGPU,
    memGlobal: stat.memGlobal + sign * node.nMEM,
    diskGlobal: stat.diskGlobal + sign * node.nDISK,
  })
}

/** The same for what is sold. */
export function countSold(fold: Fold, node: NodeTable, sign: 1 | -1): void {
  const provider = fold.get('provider', node.cp)
  fold.put('provider', {
    ...provider,
    uNode: provider.uNode + sign,
    uMem: provider.uMem + sign * node.nMEM,
    uDisk: provider.uDisk + sign * node.nDISK,
  })
  const stat = fold.get('globalStat', '1')
  fold.put('globalStat', {
    ...stat,
    nodeUsed: stat.nodeUsed + sign,
    cpuUsed: stat.cpuUsed + sign * node.nCPU,
    gpuUsed: stat.gpuUsed + sign * node.nGPU,
    memUsed: stat.memUsed + sign * node.nMEM,
    diskUsed: stat.diskUsed + sign * node.nDISK,
  })
}
