import { join } from 'node:path'
import type { AgentDb, Command } from '../../db/openAgentDb.ts'
import type { Log } from '../../foundation/log.ts'
import type { Runtime } from '../../runtime/Runtime.ts'
import type { GpuWatch } from '../gpu/createGpuWatch.ts'
import { createUsageMeter } from './createUsageMeter.ts'
import { createUsageRecorder } from './createUsageRecorder.ts'
import { createNodeRecords, type MachineNodeFacts } from './nodeRecords.ts'
import { createUsageRing, type UsageRing } from './usageRing.ts'

/** Measures what each order and each node uses, and writes it down. */
export function startUsage(options: {
  /** The folder with all of the agent's state. */
  data: string
  state: AgentDb
  runtime: Pick<Runtime, 'usage'>
  gpus: GpuWatch
  /** The provider's nodes, with the ids of the GPUs that each has. */
  nodes: () => readonly { node: MachineNodeFacts; gpus: readonly string[] }[]
  usageRing: UsageRing
  /** Unix milliseconds. */
  clock: () => number
  /** Unix seconds. */
  now: () => number
  log: Log
}) {
  const { data, state, runtime, gpus, usageRing, clock, now, log } = options
  const gpusByIds = (ids: readonly string[]) => ids.flatMap((id) => gpus.gpus.find((one) => one.id === id) ?? [])
  const gpusOf = (orderId: bigint) => gpusByIds(state.command(orderId)?.gpus ?? [])
  const meter = createUsageMeter({ usage: runtime.usage, gpusOf, readingOf: gpus.readingOf, now: clock })
  const isRunning = ({ hasRun, endedAt }: Command) => hasRun && endedAt === undefined
  const usageOrders = () => state.commands().flatMap((one) => (isRunning(one) ? [one.orderId] : []))
  const nodeRecords = createNodeRecords({
    ring: createUsageRing(join(data, 'node-usage')),
    nodes: () => options.nodes().map(({ node, gpus: ids }) => ({ node, gpus: gpusByIds(ids) })),
    ...{ readingOf: gpus.readingOf, now },
  })
  const recorder = createUsageRecorder({
    ...{ meter, ring: usageRing, orders: usageOrders, log },
    onRecorded: nodeRecords.record,
  })
  return { meter, nodeRecords, recorder, usageOrders, gpusOf }
}
