import { join } from 'node:path'
import type { AgentContext } from '../AgentContext.ts'
import type { GpuWatch } from '../gpu/createGpuWatch.ts'
import type { OrderManager } from '../orders/createOrderManager.ts'
import type { Command } from '../orders/openAgentDb.ts'
import { createUsageMeter } from './createUsageMeter.ts'
import { createUsageRecorder } from './createUsageRecorder.ts'
import { createNodeRecords } from './nodeRecords.ts'
import { createUsageRing, type UsageRing } from './usageRing.ts'

/** Measures what each order and each node uses, and writes it down. */
export function startUsage(
  options: AgentContext & {
    gpus: GpuWatch
    manager: Pick<OrderManager, 'nodes'>
    usageRing: UsageRing
    /** Unix milliseconds. */
    clock: () => number
  },
) {
  const { data, state, runtime, gpus, manager, usageRing, clock, now, log } = options
  const gpusByIds = (ids: readonly string[]) => ids.flatMap((id) => gpus.gpus.find((one) => one.id === id) ?? [])
  const gpusOf = (orderId: bigint) => gpusByIds(state.command(orderId)?.gpus ?? [])
  const meter = createUsageMeter({ usage: runtime.usage, gpusOf, readingOf: gpus.readingOf, now: clock })
  const isRunning = ({ hasRun, endedAt }: Command) => hasRun && endedAt === undefined
  const usageOrders = () => state.commands().flatMap((one) => (isRunning(one) ? [one.orderId] : []))
  const nodeRecords = createNodeRecords({
    ring: createUsageRing(join(data, 'node-usage')),
    nodes: () => manager.nodes().map(({ node, gpus: ids }) => ({ node, gpus: gpusByIds(ids) })),
    ...{ readingOf: gpus.readingOf, now },
  })
  const recorder = createUsageRecorder({
    ...{ meter, ring: usageRing, orders: usageOrders, log },
    onRecorded: nodeRecords.record,
  })
  return { meter, nodeRecords, recorder, usageOrders, gpusOf }
}
