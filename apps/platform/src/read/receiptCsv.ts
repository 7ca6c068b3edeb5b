import type { ReceiptWire } from '@rackfair/protocol/orders'
import { formatCredit } from '@rackfair/rules/money'

const AMOUNTS = ['paid', 'earned', 'commission', 'refunded', 'compensated'] as const

/** The receipt as CSV: amounts in USD with all decimals, times in ISO 8601. Texts are escaped so that they cannot become formulas. */
export function receiptCsv(receipt: ReceiptWire): string {
  const head = ['order', 'time', 'event', 'seconds', ...AMOUNTS.map((name) => `${name}_usd`), 'transaction']
  const rows = receipt.lines.map((line) => [
    receipt.order.id,
    new Date(line.time * 1000).toISOString(),
    line.event,
    line.seconds === null ? '' : String(line.seconds),
    ...AMOUNTS.map((name) => formatCredit(BigInt(line[name]))),
    line.transactionHash,
  ])
  const totals = [receipt.order.id, '', 'total', '', ...AMOUNTS.map((name) => formatCredit(BigInt(receipt.totals[name]))), '']
  return `${[head, ...rows, totals].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
