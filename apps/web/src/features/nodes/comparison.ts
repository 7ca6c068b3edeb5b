import { gpuMemoryGb } from '@rackfair/rules/gpu/gpuMemory'
import type { NodeOffer } from '@rackfair/rules/node/node'
import { priceIn } from './priceUnit.ts'

export const COMPARED = [
  'perGpu',
  'perHour',
  'perMonth',
  'gpus',
  'vram',
  'cores',
  'memory',
  'storage',
  'pledge',
  'pledgeFree',
] as const
export type ComparedLine = (typeof COMPARED)[number]

const LESS_IS_BETTER: readonly ComparedLine[] = ['perGpu', 'perHour', 'perMonth']

/** What a machine has of each line; undefined where it has nothing to compare. Prices and pledge in wei, sizes in GB. */
export function comparedValue(line: ComparedLine, node: NodeOffer): bigint | undefined {
  switch (line) {
    case 'perGpu':
      return priceIn('gpu', node)
    case 'perHour':
      return priceIn('hour', node)
    case 'perMonth':
      return priceIn('month', node)
    case 'gpus':
      return BigInt(node.gpu.count)
    case 'vram': {
      const memory = node.gpu.count > 0 ? gpuMemoryGb(node.gpu.model) : 0
      return memory === undefined ? undefined : BigInt(memory * node.gpu.count)
    }
    case 'cores':
      return BigInt(node.cpu.count * node.cpu.cores)
    case 'memory':
      return BigInt(node.memoryGb)
    case 'storage':
      return BigInt(node.diskGb)
    case 'pledge':
      return node.pledgeWei
    case 'pledgeFree':
      return node.pledgeWei - node.pledgeLockedWei
  }
}

/** Which of the machines have the best value of a line; none where all have the same. */
export function bestOf(line: ComparedLine, nodes: readonly NodeOffer[]): readonly boolean[] {
  const values = nodes.map((node) => comparedValue(line, node))
  const known = values.filter((value) => value !== undefined)
  const better = LESS_IS_BETTER.includes(line) ? least : most
  const best = known.reduce<bigint | undefined>((one, other) => (one === undefined ? other : better(one, other)), undefined)
  const same = known.length === values.length && known.every((value) => value === best)
  return values.map((value) => !same && value !== undefined && value === best)
}

const least = (one: bigint, other: bigint) => (one < other ? one : other)
const most = (one: bigint, other: bigint) => (one > other ? one : other)
