import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import { type MarketAddresses, readMarket } from '@rackfair/sdk'
import type { Address, PublicClient } from 'viem'

const PAGE = 200n
/** More than any market has; further providers are not read. */
const MAX_PROVIDERS = 20_000
const MAX_NODES = 1_000

export interface ProbedNode {
  id: bigint
  orderId: bigint
}

/** A node with its size, as registered on the chain. */
export interface FleetNode extends ProbedNode {
  rev: number
  nMEM: number
  nCPU: number
  core: number
}

export interface FleetProvider<Node extends ProbedNode = ProbedNode> {
  address: LowerCaseAddress
  operator: LowerCaseAddress
  ip: string
  port: number
  /** The registered name; empty without one. */
  domain: string
  nodes: Node[]
}

/** Every provider with its nodes that are online or sold, as the chain has them. */
export async function readFleet(client: PublicClient, addresses: MarketAddresses): Promise<FleetProvider<FleetNode>[]> {
  const fleet: FleetProvider<FleetNode>[] = []
  for (let start = 0n; fleet.length < MAX_PROVIDERS; start += PAGE) {
    const keys = await readMarket(client, addresses, 'registry', 'getKeys', [start, PAGE])
    for (const key of keys) {
      const address = lowerCaseAddress(key)
      const { ip, port, domain } = await readMarket(client, addresses, 'registry', 'get', [address])
      const operator = lowerCaseAddress(await readMarket(client, addresses, 'registry', 'operatorOf', [address]))
      fleet.push({ address, operator, ip, port, domain, nodes: await readNodes(client, addresses, address) })
    }
    if (keys.length < Number(PAGE)) break
  }
  return fleet
}

/** Reads the fleet once per epoch for all callers; retries after a failure. */
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
