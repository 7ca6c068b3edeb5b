import { accessAbi, marketAbi, registryAbi } from '@rackfair/contracts'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { MonitoredOrder } from '@rackfair/rules/uptime/nodeHistory'
import { EVIDENCE_DAYS } from '@rackfair/rules/uptime/reliability'
import { type Address, getAbiItem } from 'viem'
import { getLogs } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { readAt } from '../chain/readAt.ts'
import { toAppError } from '../errors/toAppError.ts'

const PAGE = 200n
const DAY_SECONDS = 86_400

/** An order as stored on the chain. */
export interface SoldOrder extends MonitoredOrder {
  market: LowerCaseAddress
  nodeId: bigint
  /** Commission paid, in wei. */
  commission: bigint
}

/**
 * Every order that a provider sold in the last 400 days, in all versions of the market, and which accounts count as the provider itself.
 */
export async function readSoldOrders(client: ChainReader, access: Address, provider: Address, now: number) {
  const orders: SoldOrder[] = []
  const own = [lowerCaseAddress(provider)]
  const versions = await readAt(client, { address: access, abi: accessAbi, functionName: 'CurrentVer' })
  for (let version = 1; version <= versions; version += 1) {
    const set = await readAt(client, { address: access, abi: accessAbi, functionName: 'addresses', args: [version] })
    const registry = { address: set.registry, abi: registryAbi } as const
    own.push(lowerCaseAddress(await readAt(client, { ...registry, functionName: 'operatorOf', args: [provider] })))
    const market = { address: set.market, abi: marketAbi } as const
    for (let cursor = 0n; ; ) {
      const [ids, next] = await readAt(client, { ...market, functionName: 'getProList', args: [provider, cursor, PAGE] })
      const closed = await readClosed(client, set.market, ids)
      for (const id of ids) {
        const order = await readAt(client, { ...market, functionName: 'getOrder', args: [id] })
        const { status, activateTime, duration, commissionBps, nodeId, remuneration } = order
        const closeTime = closed.get(id) ?? 0
        if (closeTime > 0 && closeTime < now - EVIDENCE_DAYS * DAY_SECONDS) continue
        orders.push({
          ...{
            id: String(id),
            user: lowerCaseAddress(order.user),
            market: lowerCaseAddress(set.market),
            nodeId,
            status,
            activateTime,
            duration,
            commissionBps,
          },
          ...{ closeTime, commission: (remuneration * BigInt(commissionBps)) / 10_000n },
        })
      }
      if (next === 0n) break
      cursor = next
    }
  }
  return { orders, own }
}

/** When orders were closed: the chain records that only as an event. */
async function readClosed(client: ChainReader, market: Address, ids: readonly bigint[]): Promise<Map<bigint, number>> {
  if (ids.length === 0) return new Map()
  const event = getAbiItem({ abi: marketAbi, name: 'OrderClosed' })
  const logs = await getLogs(client, { address: market, event, args: { id: [...ids] }, fromBlock: 0n, strict: true }).catch(
    (error: unknown) => {
      throw toAppError(error)
    },
  )
  return new Map(logs.map(({ args }) => [args.id, args.time]))
}
