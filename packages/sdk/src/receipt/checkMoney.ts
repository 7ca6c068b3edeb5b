import type { ReceiptWire } from '@rackfair/protocol/orders'
import { type Check, createCheck, type ReceiptCheck } from './ReceiptVerdict.ts'
import type { ChainEvent } from './readOrderEvents.ts'

/** The events that move an order's money, and the receipt fields for their amounts. */
const AMOUNTS: Readonly<Record<string, Readonly<Partial<Record<Amount, string>>>>> = {
  OrderCreated: { paid: 'totalValue' },
  OrderExtended: { paid: 'paid' },
  OrderSettled: { earned: 'gross', commission: 'commission' },
  OrderClosed: { refunded: 'refunded' },
  PendingSettled: { refunded: 'refunded' },
  BuyerCompensated: { compensated: 'fromPledge' },
  DowntimeCompensated: { compensated: 'amount' },
}
const FIELDS = ['paid', 'earned', 'commission', 'refunded', 'compensated'] as const
type Amount = (typeof FIELDS)[number]

/** What the contract booked for an order: the sums that all lines have to add up to. Amounts in wei. */
export interface Booked {
  totalValue: bigint
  remuneration: bigint
  remain: bigint
}

/**
 * Checks every line against the event of its transaction, every event that moves money against the lines, and both sums against what the
 * contract booked: an omitted line shows in the sums.
 */
export function checkMoney(
  receipt: Pick<ReceiptWire, 'lines' | 'totals'>,
  events: readonly ChainEvent[],
  booked: Booked,
): ReceiptCheck {
  const check = createCheck('money')
  const left = [...events]
  for (const [row, line] of receipt.lines.entries()) {
    const index = left.findIndex((one) => one.name === line.event && one.transactionHash === line.transactionHash)
    const [event] = index < 0 ? [] : left.splice(index, 1)
    check.same('event', line.event, event?.name, row)
    if (event) compareLine(check, line, event, row)
  }
  for (const { name, transactionHash } of left) if (AMOUNTS[name]) check.same('event', undefined, `${name} in ${transactionHash}`)

  for (const field of FIELDS)
    check.same(
      `totals.${field}`,
      receipt.totals[field],
      receipt.lines.reduce((sum, line) => sum + BigInt(line[field]), 0n),
    )
  const { paid, earned, refunded, escrow } = receipt.totals
  check.same('totals.paid', paid, booked.totalValue)
  check.same('totals.earned', earned, booked.remuneration)
  check.same('totals.escrow', escrow, booked.remain)
  check.same('earned + refunded + escrow', BigInt(earned) + BigInt(refunded) + BigInt(escrow), booked.totalValue)
  return check.done()
}

function compareLine(check: Check, line: ReceiptWire['lines'][number], { name, args, time }: ChainEvent, row: number): void {
  check.same('time', line.time, time, row)
  for (const field of FIELDS) {
    const key = AMOUNTS[name]?.[field]
    check.same(field, line[field], key === undefined ? 0n : args[key], row)
  }
}
