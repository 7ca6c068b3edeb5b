import { OrderStatus } from '@rackfair/rules/order/status'
import { accruedWei, ratePerMonthWei } from '@rackfair/rules/prices/pricing'
import { readMarket } from '@rackfair/sdk'
import { type ChainNode, type ChainOrder, type Head, isLive, standingOf } from '../chain/read/chainView.ts'
import type { Command } from '../db/openAgentDb.ts'
import { reasonOf } from '../foundation/reasonOf.ts'
import { GPU_TEST_ORDER } from '../machine/gpu/tryGpu.ts'
import type { createOrderLocks } from './createOrderLocks.ts'
import { createRenewer } from './createRenewer.ts'
import { keepGpuNodes } from './gpuNodes.ts'
import type { ObservedState } from './ObservedState.ts'
import type { OrderManagerOptions } from './OrderManagerOptions.ts'
import { createDowntimeTeller } from './tellDowntime.ts'

const TEXTS_KEPT_SECONDS = 86_400
/** Orders read from the chain concurrently. */
const READ_AT_ONCE = 8

/**
 * Reads the chain, decides which orders are live and which are over, and wakes each of them. Nothing is decided while the chain does not
 * answer: orders then continue in their last known state, even if the agent restarted meanwhile.
 */
export function followChain(
  options: OrderManagerOptions,
  known: ObservedState,
  locks: ReturnType<typeof createOrderLocks>,
  scheduleReconcile: (orderId: bigint) => void,
) {
  const { state, outbox, verify, log } = options
  const tendGpuNodes = keepGpuNodes(options)
  const tellDowntime = createDowntimeTeller(log)
  const removeOrphans = createOrphanRemover(options, locks)
  const renewKept = createRenewer(options, known)

  /** Whether the order still lives is the chain's word; a reorganisation may take an order away, or give its number to another. */
  const detectOrderEnd = (command: Command, order: ChainOrder | undefined, head: Head): void => {
    const mine = order !== undefined && order.user === command.user
    const live = mine && isLive(order, head.timestamp)
    if (!live && command.endedAt === undefined) {
      const standing = mine ? standingOf(order, head.timestamp) : 'gone'
      log.info('order ended', { orderId: String(command.orderId), standing })
      state.putCommand({ ...command, endedAt: head.timestamp })
    } else if (live && command.endedAt !== undefined) {
      log.warn('order lives again: the chain took its end back', { orderId: String(command.orderId) })
      state.putCommand({ ...command, endedAt: undefined })
    }
  }

  /**
   * Frees nodes whose orders are over, and starts the time of every order whose machine is ready, whatever its buyer deploys: it holds the
   * machine from its purchase on. Leaves all else about orders this agent never accepted alone.
   */
  const releaseStaleNodes = (head: Head, ready: boolean): void => {
    for (const node of known.nodes) {
      const order = node.orderId === 0n ? undefined : known.orders.get(node.orderId)
      if (!order) continue
      const standing = standingOf(order, head.timestamp)
      if (standing === 'start_missed' || standing === 'expired')
        outbox.enqueue({ kind: 'release', orderId: order.id, market: order.market })
      else if (standing === 'startable' && ready && node.online)
        outbox.enqueue({ kind: 'activate', orderId: order.id, market: order.market })
    }
  }

  /** `ready`: an application could run here now. */
  return async function reconcile(ready: boolean): Promise<void> {
    let head: Head
    try {
      head = await readChain(options, known)
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      log.warn('the chain does not answer; orders continue as they are', { reason })
      known.time = Math.max(known.head?.timestamp ?? 0, verify.now())
      for (const { orderId } of state.commands()) scheduleReconcile(orderId)
      return
    }
    for (const command of state.commands()) {
      detectOrderEnd(command, known.orders.get(command.orderId), head)
      scheduleReconcile(command.orderId)
    }
    tellDowntime(known.orders.values(), head.timestamp)
    releaseStaleNodes(head, ready)
    await renewKept(head)
    await freePromises(options, known, head).catch((error: unknown) =>
      log.warn('the pledge cannot be read', { reason: reasonOf(error) }),
    )
    tendGpuNodes(known.nodes)
    state.forgetRequestsBefore(verify.now() - TEXTS_KEPT_SECONDS)
    await removeOrphans(head)
  }
}

/** Reads the nodes, and the orders that they and requests name. What was read alone meanwhile is newer, and stays. */
async function readChain({ chain, state }: OrderManagerOptions, known: ObservedState): Promise<Head> {
  const { refreshed } = known
  refreshed.orders.clear()
  refreshed.nodes.clear()
  const head = await chain.head()
  const nodes = await chain.nodes()
  const held = nodes.map((node) => node.orderId).filter((id) => id !== 0n)
  const open = [...known.orders.values()].filter(({ locked }) => locked > 0n).map(({ id }) => id)
  const ids = [...new Set([...state.commands().map((one) => one.orderId), ...held, ...open])]
  for (let at = 0; at < ids.length; at += READ_AT_ONCE) {
    const some = ids.slice(at, at + READ_AT_ONCE)
    const orders = await Promise.all(some.map((id) => chain.order(id)))
    for (const [index, id] of some.entries()) {
      const order = orders[index]
      if (refreshed.orders.has(id)) continue
      if (order) known.orders.set(id, order)
      else known.orders.delete(id)
    }
  }
  const isFresh = (node: ChainNode) => refreshed.nodes.has(node.id)
  known.nodes = [...nodes.filter((node) => !isFresh(node)), ...known.nodes.filter(isFresh)]
  known.head = head
  known.time = head.timestamp
  for (const order of known.orders.values()) {
    const node = known.nodes.find((one) => one.id === order.nodeId)
    if (node) state.saveSnapshot({ order, node })
  }
  return head
}

/** Removes containers and data without an accepted request, but only of orders that the chain says are over or not ours. */
function createOrphanRemover(options: OrderManagerOptions, locks: ReturnType<typeof createOrderLocks>) {
  const { state, chain, runtime, log } = options
  return async (head: Head): Promise<void> => {
    const accounted = new Set(state.commands().map((one) => one.orderId))
    const found = new Set([...(await runtime.list()).map((one) => one.orderId), ...(await runtime.ordersWithData())])
    for (const orderId of found) {
      if (accounted.has(orderId) || orderId === GPU_TEST_ORDER) continue
      const order = await chain.order(orderId)
      if (order && isLive(order, head.timestamp)) continue
      log.info('removing what an earlier order left behind', { orderId: String(orderId) })
      await locks
        .exclusive(orderId, async () => {
          await runtime.remove(orderId, { wipe: true })
          await runtime.removeOutput(orderId)
          options.notes.remove(orderId)
        })
        .catch((error: unknown) => log.warn('it cannot be removed yet', { orderId: String(orderId), reason: reasonOf(error) }))
    }
  }
}

/**
 * Settles orders that are over and still lock a part of the pledge, if what is free is too little to sell the nodes that are on offer:
 * without it buyers would be refused.
 */
async function freePromises({ chain, outbox }: OrderManagerOptions, known: ObservedState, head: Head): Promise<void> {
  const over = [...known.orders.values()].filter((order) => isOverAndLocks(order, head.timestamp))
  const penalty = Math.max(0, ...over.map((order) => order.penalty))
  const offered = known.nodes.filter((node) => node.online && node.orderId === 0n)
  const [first] = offered
  if (first === undefined || over.length === 0) return
  const needed = offered.reduce((sum, node) => sum + accruedWei(ratePerMonthWei(node, node), penalty), 0n)
  const free = await readMarket(chain.client, chain.addresses, 'pledge', 'freeOf', [first.cp])
  if (free >= needed) return
  for (const { id, market } of over) outbox.enqueue({ kind: 'proSettle', orderId: id, market })
}

/** Whether a settlement would free what the order locks of the pledge. */
function isOverAndLocks({ locked, status, activateTime, duration, holdback }: ChainOrder, now: number): boolean {
  if (!(locked > 0n)) return false
  return status === OrderStatus.UserCancelled || (status === OrderStatus.Expired && now >= activateTime + duration + holdback)
}
