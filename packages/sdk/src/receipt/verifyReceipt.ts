import { marketAbi } from '@rackfair/contracts'
import type { ReceiptWire } from '@rackfair/protocol/orders'
import type { OrderEvidenceAnswer } from '@rackfair/protocol/uptime'
import { isTerminal } from '@rackfair/rules/order/status'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { createCalendar, PRODUCTION_PACE } from '@rackfair/rules/uptime/epoch'
import type { Address, Hex } from 'viem'
import { getBlock } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { marketOf } from '../chain/readAddresses.ts'
import { readAt } from '../chain/readAt.ts'
import { toAppError } from '../errors/toAppError.ts'
import { readMonitors } from '../uptime/readMonitors.ts'
import { checkDowntime, type Downtime } from './checkDowntime.ts'
import { checkMoney } from './checkMoney.ts'
import { checkTime } from './checkTime.ts'
import { createCheck, type ReceiptCheck, type ReceiptVerdict } from './ReceiptVerdict.ts'
import { type ChainEvent, readOrderEvents } from './readOrderEvents.ts'

/**
 * Recomputes a receipt from the chain and what monitors reported, and lists every difference. It trusts nothing that the platform says:
 * parties and prices are read from the order's Market, each line from the event of its transaction, downtime from the contract `Findings`
 * and the roots that monitors revealed there, and every second is split again.
 *
 * @param access The market's Access contract, the only address a program has to know.
 * @param evidence As `api.orderEvidence` returns it.
 * @throws AppError if the chain cannot be read; `payload_too_large` for a receipt of more than 5,000 transactions, and for evidence
 *   of more periods than the order has or more than 500 reports of one.
 * @example const { agrees, checks } = await verifyReceipt(client, access, await api.receipt('12'), await api.orderEvidence('12'))
 */
export async function verifyReceipt(
  client: ChainReader,
  access: Address,
  receipt: ReceiptWire,
  evidence: OrderEvidenceAnswer,
): Promise<ReceiptVerdict> {
  const orderId = BigInt(receipt.order.id)
  const market = await marketOf(client, access, orderId)
  const contract = await readMonitors(client, access)
  const calendar = createCalendar(contract?.pace ?? PRODUCTION_PACE)
  const booked = await readBooked(client, market, receipt)
  const { duration } = booked
  const downtime: Downtime = contract
    ? await checkDowntime(
        { client, monitors: contract.address, findings: contract.findings, calendar, market, orderId, duration },
        evidence,
      )
    : { check: createCheck('downtime').done(), findings: [] }

  const hashes = [...receipt.lines, ...receipt.spans].flatMap(({ transactionHash }) => (transactionHash ?? []) as Hex)
  const events = await readOrderEvents(client, { market, findings: contract?.findings, orderId }, hashes)
  return verdictOf([
    checkOrder(receipt, booked, events),
    checkMoney(receipt, events, booked),
    checkTime(receipt, events, downtime.findings, calendar),
    downtime.check,
  ])
}

const verdictOf = (checks: ReceiptCheck[]): ReceiptVerdict => ({
  agrees: checks.every(({ differences }) => differences.length === 0),
  checks,
})

type Booked = Awaited<ReturnType<typeof readBooked>>

/**
 * The order at the receipt's block, with the time of that block. A closed order is read at the latest block, for nodes that prune old
 * state.
 */
async function readBooked(client: ChainReader, market: Address, { order, block }: ReceiptWire) {
  const isOver = isTerminal(order.status) && order.pendingUntil === 0
  const blockNumber = BigInt(block)
  const at = isOver ? {} : { blockNumber }
  const call = { address: market, abi: marketAbi, functionName: 'getOrder', args: [BigInt(order.id)], ...at } as const
  const [booked, time] = await Promise.all([
    readAt(client, call),
    getBlock(client, { blockNumber }).then(
      ({ timestamp }) => Number(timestamp),
      (error: unknown) => {
        throw toAppError(error)
      },
    ),
  ])
  return { ...booked, blockTime: time }
}

/** Checks the parties, the node and the price, and that the unit prices add up to what was paid. */
function checkOrder({ order, asOf }: ReceiptWire, booked: Booked, events: readonly ChainEvent[]): ReceiptCheck {
  const check = createCheck('order')
  const created = events.find(({ name }) => name === 'OrderCreated')?.args as { rev: number } | undefined
  check.same('id', order.id, booked.id)
  check.same('user', order.user, booked.user)
  check.same('provider', order.provider, booked.provider)
  check.same('node', order.node_id, booked.nodeId)
  check.same('rev', order.rev, created?.rev)
  for (const key of ['nCPU', 'nGPU', 'nMEM', 'nDISK'] as const) check.same(key, order.r[key], booked[key])
  for (const key of ['pCPU', 'pGPU', 'pMEM', 'pDISK'] as const) check.same(key, order.p[key], booked[key])
  const { nCPU, nGPU, nMEM, nDISK } = booked
  const rate = booked.pCPU * BigInt(nCPU) + booked.pGPU * BigInt(nGPU) + booked.pMEM * BigInt(nMEM) + booked.pDISK * BigInt(nDISK)
  check.same('rate', order.rate, rate)
  check.same('totalValue', order.totalValue, accruedWei(rate, booked.duration))
  const figures = ['totalValue', 'remuneration', 'activateTime', 'lastSettleTime', 'duration', 'down', 'commissionBps'] as const
  for (const key of figures) check.same(key, order[key], booked[key])
  for (const key of ['probation', 'holdback', 'penalty', 'reportedUntil', 'downSince', 'pendingUntil'] as const)
    check.same(key, order[key], booked[key])
  check.same('UserConfirm', order.UserConfirm, booked.userConfirm)
  check.same('deployed', order.deployTime > 0, booked.deployed)
  // Between the two, an order can run out without a transaction.
  if (isTerminal(order.status) || isTerminal(booked.status)) check.same('status', order.status, booked.status)
  const closed = events.find(({ name }) => name === 'OrderClosed')?.args as { time: number } | undefined
  check.same('closeTime', order.closeTime, closed?.time ?? 0)
  const sum = (name: string, key: string) =>
    events.reduce((total, event) => (event.name === name ? total + BigInt(event.args[key] as bigint) : total), 0n)
  check.same('refunded', order.refunded, sum('OrderClosed', 'refunded') + sum('PendingSettled', 'refunded'))
  check.same('compensated', order.compensated, sum('BuyerCompensated', 'fromPledge') + sum('DowntimeCompensated', 'amount'))
  // What is due grows by the second, so a receipt is taken at its block's time or later, by the platform's clock.
  check.same('as of', asOf >= booked.blockTime, true)
  return check.done()
}
