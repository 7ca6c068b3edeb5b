import { listOrders, readFunds, receipt as readReceipt, userOf, waitForReceipt } from '@rackfair/sdk'
import { type ReceiptVerdict, verifyReceipt } from '@rackfair/sdk/receipt'
import type { Hex } from 'viem'
import { EXIT } from '../exitCodes.ts'
import { exactUsd, orderIdOf, type Session, usd } from '../session.ts'
import { table } from '../terminal/output.ts'

export async function ps(session: Session, flags: { all?: boolean }): Promise<void> {
  const { text, output } = session
  const renter = await session.renter()
  const all = await listOrders(renter, userOf(renter))
  const orders = flags.all ? all : all.filter(({ standing }) => standing !== 'closed')
  const rows = orders.map((order) => [
    ...[String(order.orderId), order.name, text.standings[order.standing], order.app ?? '-'],
    ...[order.endsAt === undefined ? '-' : timeOf(order.endsAt), usd(order.ratePerMonthWei), usd(order.paidWei)],
  ])
  output.data({ orders }, orders.length === 0 ? text.noOrders : table(text.heads.ps, rows))
}

export async function receipt(session: Session, order: string, flags: { verify?: boolean }): Promise<number> {
  const { text, output } = session
  const orderId = orderIdOf(order, text)
  const market = await session.market()
  const found = await readReceipt(market, orderId)
  const { totals } = found
  const rows = [
    ...found.lines.map((line) => [
      ...[timeOf(line.time), line.event, line.seconds === null ? '' : String(line.seconds)],
      ...[line.paidWei, line.earnedWei, line.refundedWei, line.compensatedWei].map(exactUsd),
    ]),
    ['', text.total, '', ...[totals.paidWei, totals.earnedWei, totals.refundedWei, totals.compensatedWei].map(exactUsd)],
  ]
  const sheet = table(text.heads.receipt, rows)
  if (!flags.verify) {
    output.data(found, sheet)
    return EXIT.ok
  }

  const { client, addresses, api } = market
  const [wire, evidence] = await Promise.all([api.receipt(String(orderId)), api.orderEvidence(String(orderId))])
  const verified = await verifyReceipt(client, addresses.access, wire, evidence)
  output.data({ ...found, verified }, `${sheet}\n\n${verdictText(verified, text)}`)
  return verified.agrees ? EXIT.ok : EXIT.refused
}

function verdictText({ agrees, checks }: ReceiptVerdict, text: Session['text']): string {
  if (agrees) return text.verified(checks.map(({ part, compared }) => `${compared} ${text.compared[part]}`).join(', '))
  const differences = checks.flatMap((check) => check.differences)
  const lines = differences.map(({ row, field, said, found }) =>
    text.difference(row === undefined ? field : `${text.receiptLine(row + 1)} ${field}`, said, found),
  )
  return [text.differs(lines.length), ...lines].join('\n')
}

export async function account(session: Session): Promise<void> {
  const renter = await session.renter()
  const { wallet, chainId, purse } = renter
  const { address } = wallet.account
  const { creditWei, nativeWei } = await readFunds(renter)
  const facts = { address, chainId, creditWei, nativeWei, ...(purse && { purse }) }
  session.output.data(facts, `${userOf(renter)}\n${usd(creditWei)} USD`)
}

export async function faucet(session: Session): Promise<void> {
  const renter = await session.renter()
  const { transactionHashes } = await renter.api.faucet(renter.wallet.account.address)
  for (const hash of transactionHashes) await waitForReceipt(renter.client, hash as Hex)
  await account(session)
}

/** In the time zone of whoever reads it. */
export function timeOf(seconds: number): string {
  const time = new Date(seconds * 1000)
  const two = (figure: number) => String(figure).padStart(2, '0')
  const day = [time.getFullYear(), two(time.getMonth() + 1), two(time.getDate())].join('-')
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}`
}
