import { type MarketAddresses, readMarket } from '@rackfair/sdk'
import type { Address, PublicClient } from 'viem'

const PAGE = 200n
/** More than any market has; a chain that names more is not read on. */
const MAX_PROVIDERS = 20_000
const MAX_NODES = 1_000

export interface ProbedNode {
  id: bigint
  orderId: bigint
}

/** A node as large as the chain says. */
export interface FleetNode extends ProbedNode {
  rev: number
  nMEM: number
  nCPU: number
  core: number
}

export interface FleetProvider<Node extends ProbedNode = ProbedNode> {
  address: Address
  operator: Address
  ip: string
  port: number
  nodes: Node[]
}

/** Every provider with the nodes that are online or sold, as the chain has them. */
export async function readFleet(client: PublicClient, addresses: MarketAddresses): Promise<FleetProvider<FleetNode>[]> {
  const fleet: FleetProvider<FleetNode>[] = []
  for (let start = 0n; fleet.length < MAX_PROVIDERS; start += PAGE) {
    const keys = await readMarket(client, addresses, 'registry', 'getKeys', [start, PAGE])
    for (const address of keys) {
      const { ip, port } = await readMarket(client, addresses, 'registry', 'get', [address])
      const operator = await readMarket(client, addresses, 'registry', 'operatorOf', [address])
      fleet.push({ address, operator, ip, port, nodes: await readNodes(client, addresses, address) })
    }
    if (keys.length < Number(PAGE)) break
  }
  return fleet
}

/** Reads the fleet once in each epoch, whoever asks; after a failure again. */
export function createFleetReader(client: PublicClient, addresses: MarketAddresses) {
  let last: { epoch: number; fleet: Promise<FleetProvider<FleetNode>[]> } | undefined
  return (epoch: number): Promise<FleetProvider<FleetNode>[]> => {
    if (last?.epoch === epoch) return last.fleet
    const fleet = readFleet(client, addresses)
    last = { epoch, fleet }
    fleet.catch(() => {
      last = undefined
    })
    return fleet
  }
}

async function readNodes(client: PublicClient, addresses: MarketAddresses, provider: Address) {
  const nodes: FleetNode[] = []
  for (let start = 0n; nodes.length < MAX_NODES; start += PAGE) {
    const page = await readMarket(client, addresses, 'registry', 'list_node', [provider, start, PAGE])
    for (const { id, exist, online, sold, orderId, rev, nMEM, nCPU, core } of page)
      if (exist && (online || sold)) nodes.push({ id, orderId: sold ? orderId : 0n, rev, nMEM, nCPU, core })
    if (page.length < Number(PAGE)) break
  }
  return nodes
}
