import assert from 'node:assert/strict'
import type { ChainOrder } from '../../chain/read/chainView.ts'
import type { Gpu } from '../../runtime/Gpu.ts'
import type { Allowance } from '../../runtime/Runtime.ts'
import type { ObservedState } from '../ObservedState.ts'
import type { OrderManagerOptions } from '../OrderManagerOptions.ts'

export type AllowanceOf = ReturnType<typeof createAllowanceOf>

/** What an order bought of its node, in the units that the kernel counts. */
export function createAllowanceOf({ chain }: Pick<OrderManagerOptions, 'chain'>, known: ObservedState) {
  return async (order: ChainOrder, gpus: readonly Gpu[]): Promise<Allowance> => {
    assert(gpus.length <= order.nGPU, 'an order gets no more GPUs than it bought')
    const node = known.nodes.find((one) => one.id === order.nodeId) ?? (await chain.node(order.nodeId))
    return {
      cores: Math.max(0.1, order.nCPU * node.core),
      memoryBytes: Math.max(1, order.nMEM) * 2 ** 30,
      diskBytes: Math.max(1, order.nDISK) * 1e9,
      gpus,
    }
  }
}
