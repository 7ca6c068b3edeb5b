import { getBalances, listOrders, receipt as readReceipt, waitForReceipt } from '@rackfair/sdk'
import type { Hex } from 'viem'
import { orderIdOf, type Session, usd } from '../session.ts'
import { table } from '../terminal/output.ts'

export async function ps(session: Session, flags: { all?: boolean }): Promise<void> {
  const { text, output } = session
  const renter = await session.renter()
  const all = await listOrders(renter, renter.wallet.account.address)
  const orders = flags.all ? all : all.filter(({ standing }) => standing !== 'closed')
  const rows = orders.map((order) => [
    ...[String(order.orderId), order.name, text.standings[order.standing], order.app ?? '-'],
    ...[order.endsAt === undefined ? '-' : timeOf(order.endsAt), usd(order.ratePerMonthWei), usd(order.paidWei)],
  ])
  output.data({ orders }, orders.length === 0 ? text.noOrders : table(text.heads.ps, rows))
}

export async function receipt(session: Session, order: string): Promise<void> {
  const { text, output } = session
  const found = await readReceipt(await session.market(), orderIdOf(order, text))
  const { totals } = found
  const rows = [
    ...found.lines.map((line) => [
      ...[timeOf(line.time), line.event, line.seconds === null ? '' : String(line.seconds)],
      ...[usd(line.paidWei), usd(line.earnedWei), usd(line.refundedWei), usd(line.compensatedWei)],
    ]),
    ['', text.total, '', usd(totals.paidWei), usd(totals.earnedWei), usd(totals.refundedWei), usd(totals.compensatedWei)],
  ]
  output.data(found, table(text.heads.receipt, rows))
}

export async function account(session: Session): Promise<void> {
  const { client, addresses, wallet, chainId } = await session.renter()
  const { address } = wallet.account
  const { creditWei, nativeWei } = await getBalances(client, addresses, address)
  session.output.data({ address, chainId, creditWei, nativeWei }, `${address}\n${usd(creditWei)} USD`)
}

export async function faucet(session: Session): Promise<void> {
  const renter = await session.renter()
  const { transactionHashes } = await renter.api.faucet(renter.wallet.account.address)
  for (const hash of transactionHashes) await waitForReceipt(renter.client, hash as Hex)
  await account(session)
}

const timeOf = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('T', ' ').slice(0, 16)
