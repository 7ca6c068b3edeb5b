import type { ChainNode } from '../chain/chainView.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'
import type { AgentDb } from './openAgentDb.ts'

/** Nodes that this agent took off the market, so that it puts back no other. */
const TAKEN_OFF = 'nodesOffForGpu'

export const nodesTakenOff = (state: Pick<AgentDb, 'fact'>): Set<string> =>
  new Set(JSON.parse(state.fact(TAKEN_OFF) ?? '[]') as string[])

/**
 * Takes nodes off the market that this machine has no working GPUs for, and puts them back when it has: an order's own cards count for
 * its node, the others for the nodes in the order of their numbers.
 */
export function keepGpuNodes({
  state,
  outbox,
  gpus,
  oversell,
  log,
}: Pick<OrderManagerOptions, 'state' | 'outbox' | 'gpus' | 'oversell' | 'log'>) {
  return (nodes: readonly ChainNode[]): void => {
    const allWell = gpus.gpus.every((one) => gpus.problemOf(one.id) === undefined)
    const lacking = oversell && allWell ? new Set() : nodesWithoutGpus(nodes, { state, gpus })
    const mine = nodesTakenOff(state)
    const before = JSON.stringify([...mine])
    for (const { id, nGPU, online } of nodes) {
      if (nGPU === 0) continue
      const isLacking = lacking.has(id)
      if (isLacking && online && !mine.has(String(id))) {
        log.error('a node has no working GPU and is taken off the market', { node: Number(id) })
        mine.add(String(id))
      }
      if (!isLacking && online) mine.delete(String(id))
      if (mine.has(String(id)) && online === isLacking)
        outbox.enqueue({ kind: 'setOnline', orderId: 0n, nodeId: id, online: !isLacking })
    }
    if (JSON.stringify([...mine]) !== before) state.putFact(TAKEN_OFF, JSON.stringify([...mine]))
  }
}

function nodesWithoutGpus(
  nodes: readonly ChainNode[],
  { state, gpus }: Pick<OrderManagerOptions, 'state' | 'gpus'>,
): Set<bigint> {
  const commands = state.commands()
  const lacking = new Set<bigint>()
  const given = new Set(commands.flatMap((one) => one.gpus))
  const isWell = (id: string) => gpus.gpus.some((one) => one.id === id) && gpus.problemOf(id) === undefined
  let free = gpus.gpus.filter((one) => !given.has(one.id) && isWell(one.id))
  for (const node of nodes.toSorted((a, b) => Number(a.id - b.id))) {
    if (node.nGPU === 0) continue
    const own = commands.find((one) => one.orderId === node.orderId)?.gpus ?? []
    if (own.length === node.nGPU) {
      if (!own.every(isWell)) lacking.add(node.id)
      continue
    }
    // A provider may have listed its GPUs by another name than they give themselves: then any will do.
    const named = gpus.gpus.some((one) => one.model === node.gpuModel)
    const mine = free.filter((one) => !named || one.model === node.gpuModel).slice(0, node.nGPU)
    if (mine.length < node.nGPU) lacking.add(node.id)
    else free = free.filter((one) => !mine.includes(one))
  }
  return lacking
}
