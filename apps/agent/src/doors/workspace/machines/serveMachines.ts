import { encodeJson } from '@rackfair/protocol/frames'
import type { MachineGpu, MachineNode, MachinesHistory, MachinesNow } from '@rackfair/protocol/workspaceAnswers'
import { MAX_MACHINE_NODES, machinesRequest } from '@rackfair/protocol/workspaceRequests'
import { MACHINES } from '@rackfair/protocol/workspaceText'
import type { GpuWatch } from '../../../machine/gpu/createGpuWatch.ts'
import { type MachineNodeFacts, type NodeRecords, useOf } from '../../../machine/usage/nodeRecords.ts'
import { parseRequest } from '../parseRequest.ts'
import { pause } from '../pause.ts'
import { WorkspaceError, type WorkspaceHandler } from '../WorkspaceChannel.ts'

const LIVE_MS = 5000

export interface MachinesOptions {
  version: string
  /** The provider's nodes with the ids of their GPUs. */
  nodes: () => readonly { node: MachineNodeFacts; gpus: readonly string[] }[]
  records: Pick<NodeRecords, 'latest' | 'read'>
  watch: Pick<GpuWatch, 'gpus' | 'problemOf' | 'readingOf' | 'slowsAtOf'>
  now: () => number
  liveMs?: number
}

/** How the provider's nodes are used and how hot its GPUs are: to whom the provider's own wallet has let in, and to nobody else. */
export function createMachinesHandler(options: MachinesOptions): WorkspaceHandler {
  const { version, records, watch, now, liveMs = LIVE_MS } = options
  const nodes = () => options.nodes().slice(0, MAX_MACHINE_NODES)

  const gpuNow = (gpu: GpuWatch['gpus'][number]): MachineGpu => {
    const { usePercent, memoryUsedMb, memoryMb, celsius, watts } = watch.readingOf(gpu) ?? {}
    return {
      ...{ model: gpu.model, usePercent, memoryUsedMb, memoryMb: memoryMb ?? (gpu.memoryMb || undefined), celsius, watts },
      ...{ slowsAtCelsius: watch.slowsAtOf(gpu), problem: watch.problemOf(gpu.id) },
    }
  }
  const nodeNow = ({ node, gpus }: ReturnType<typeof nodes>[number]): MachineNode => {
    const point = records.latest(node.id)
    return {
      nodeId: Number(node.id),
      use: point && useOf(point, node),
      memoryBytes: point?.memoryBytes,
      gpus: gpus.map((id) => watch.gpus.findIndex((one) => one.id === id)).filter((place) => place >= 0),
    }
  }

  return async (orderId, request, channel) => {
    if (orderId !== MACHINES) throw new WorkspaceError('workspace_unsupported', 'an order has no machines')
    const { history, live } = parseRequest(machinesRequest, request)
    if (history) {
      const answer: MachinesHistory = {
        type: 'history',
        nodes: nodes().map(({ node }) => ({
          nodeId: Number(node.id),
          points: records.read(node, history).flatMap((point) => {
            const use = useOf(point, node)
            return use === undefined ? [] : [{ time: point.time, use }]
          }),
        })),
      }
      await channel.write(encodeJson(answer))
    }
    do {
      const answer: MachinesNow = { type: 'now', time: now(), version, gpus: watch.gpus.map(gpuNow), nodes: nodes().map(nodeNow) }
      await channel.write(encodeJson(answer))
      if (live) await pause(liveMs, channel.signal)
    } while (live && !channel.signal.aborted)
  }
}
