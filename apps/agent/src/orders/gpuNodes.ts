import type { ChainNode } from '../chain/read/chainView.ts'
import type { AgentDb } from '../db/openAgentDb.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'

/** Fact with the nodes that this agent took off the market, so that it puts back no others. */
const TAKEN_OFF = 'nodesOffForGpu'

export const nodesTakenOff = (state: Pick<AgentDb, 'fact'>): Set<string> =>
  new Set(JSON.parse(state.fact(TAKEN_OFF) ?? '[]') as string[])

/**
 * Takes nodes without working GPUs off the market, and puts them back when the GPUs work again: an order's own cards count for its node,
 * the others are assigned to nodes in order of their ids.
 */
export function keepGpuNodes({
  state,
  outbox,
  gpus,
  oversell,
  log,
}: Pick<OrderManagerOptions, 'state' | 'outbox' | 'gpus' | 'oversell' | 'log'>) {
  return (nodes: readonly ChainNode[]): void => {
    const lacking = nodesLackingGpus(nodes, { state, gpus, oversell })
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

/** The GPUs of each GPU node: those of its order, else working ones without an order. Fewer than it sells if no more are left. */
export function gpusOfNodes(
  nodes: readonly ChainNode[],
  { state, gpus }: Pick<OrderManagerOptions, 'state' | 'gpus'>,
): Map<bigint, string[]> {
  const commands = state.commands()
  const found = new Map<bigint, string[]>()
  const given = new Set(commands.flatMap((one) => one.gpus))
  let free = gpus.gpus.filter((one) => !given.has(one.id) && gpus.problemOf(one.id) === undefined)
  for (const node of nodes.toSorted((a, b) => Number(a.id - b.id))) {
    if (node.nGPU === 0) continue
    const own = commands.find((one) => one.orderId === node.orderId)?.gpus ?? []
    if (own.length === node.nGPU) {
      found.set(node.id, own)
      continue
    }
    // A provider may have listed its GPUs under a name other than the driver's: then any will do.
    const named = gpus.gpus.some((one) => one.model === node.gpuModel)
    const mine = free.filter((one) => !named || one.model === node.gpuModel).slice(0, node.nGPU)
    // Too few are useless to this node, but may be enough for the next.
    if (mine.length === node.nGPU) free = free.filter((one) => !mine.includes(one))
    found.set(
      node.id,
      mine.map(({ id }) => id),
    )
  }
  return found
}

/** The nodes whose GPUs are broken or missing. A provider that oversells them lacks none while all of them work. */
export function nodesLackingGpus(
  nodes: readonly ChainNode[],
  { state, gpus, oversell }: Pick<OrderManagerOptions, 'state' | 'gpus' | 'oversell'>,
): Set<bigint> {
  if (oversell && gpus.gpus.every((one) => gpus.problemOf(one.id) === undefined)) return new Set()
  const isWell = (id: string) => gpus.gpus.some((one) => one.id === id) && gpus.problemOf(id) === undefined
  const found = gpusOfNodes(nodes, { state, gpus })
  const lacks = ({ id, nGPU }: ChainNode) => {
    const mine = found.get(id)
    return mine !== undefined && (mine.length < nGPU || !mine.every(isWell))
  }
  return new Set(nodes.filter(lacks).map(({ id }) => id))
}
