import { createCalendar, PRODUCTION_PACE } from '../../uptime/epoch.ts'
import type { ReceiptFacts } from '../receiptSpans.ts'
import { OrderStatus } from '../status.ts'

export const PERIOD = 62_334
const calendar = createCalendar(PRODUCTION_PACE)
/** The start of a period, and of the order. */
export const START = calendar.startOf(PERIOD)
export const RATE = 318n * 10n ** 18n
export const MONTH = 2_592_000

/** A month that ran through: completed, paid in full and without downtime. */
export const receiptFacts = (change: Partial<ReceiptFacts>): ReceiptFacts => ({
  ...{
    status: OrderStatus.Completed,
    activateTime: START,
    duration: MONTH,
    closeTime: START + MONTH,
    rate: RATE,
    totalValue: RATE,
  },
  ...{
    earnedWei: RATE,
    pendingWei: 0n,
    down: 0,
    reportedUntil: 0,
    asOf: START + MONTH,
    closedBy: '0xc',
    settlements: [],
    findings: [],
    calendar,
  },
  ...change,
})

/** A finding of a period, whose transaction is `0xf` and the number of the period after that of the start. */
export const found = (period: number, down: bigint) => ({ period, down, transactionHash: `0xf${period - PERIOD}` })
