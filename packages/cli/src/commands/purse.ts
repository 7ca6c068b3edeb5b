import { createPurse, depositToPurse, purseOf, readPurse, withdrawFromPurse } from '@rackfair/sdk'
import { type Session, usd } from '../session.ts'
import { amountOf } from './market.ts'
import { ownPurse } from './ownPurse.ts'
import { factsOf, keptLine, keptOrders, warnOf } from './renewal.ts'

/** Shows the purse of the account: its address, what it holds, how many keys may spend it, and what it keeps alive. */
export async function purse(session: Session): Promise<void> {
  const { text, output } = session
  const owner = await session.renter()
  const { purse: address, exists } = await purseOf(owner, owner.wallet.account.address)
  if (!exists) {
    output.data({ purse: address, exists }, text.purseMissing(address))
    return
  }
  const { creditWei, keys } = await readPurse(owner, address)
  const valid = keys.filter(({ isRevoked }) => !isRevoked).length
  const kept = await keptOrders(owner, address, creditWei)
  const renewals = kept.map((one) => ({ orderId: one.order.orderId, ...factsOf(one) }))
  const lines = [text.purseHolds(address, usd(creditWei), valid), ...kept.map((one) => keptLine(one, text))]
  output.data({ purse: address, exists, creditWei, keys: valid, renewals }, lines.join('\n'))
  warnOf(session, kept)
}

/** Makes the purse, unless it exists. */
export async function makePurse(session: Session): Promise<void> {
  const { purse: address, mined } = await createPurse(await session.renter(), { onSent: session.onSent, signal: session.signal })
  session.output.data({ purse: address, hash: mined?.hash ?? null }, address)
}

export async function deposit(session: Session, usdAmount: string): Promise<void> {
  const { owner, purse: address } = await ownPurse(session)
  const wei = amountOf(session, usdAmount) as bigint
  await session.confirm(session.text.confirmDeposit(usd(wei), address))
  const { hash } = await depositToPurse(owner, address, wei, { onSent: session.onSent, signal: session.signal })
  session.paid(session.text.deposited(usd(wei), hash))
  session.output.data({ purse: address, wei, hash }, session.text.deposited(usd(wei), hash))
}

export async function withdraw(session: Session, usdAmount: string, flags: { usdt?: boolean }): Promise<void> {
  const { owner, purse: address } = await ownPurse(session)
  const wei = amountOf(session, usdAmount) as bigint
  const as = flags.usdt ? 'usdt' : 'credit'
  const { hash } = await withdrawFromPurse(owner, address, wei, { as, onSent: session.onSent, signal: session.signal })
  session.paid(session.text.withdrawn(usd(wei), hash))
  session.output.data({ purse: address, wei, hash }, session.text.withdrawn(usd(wei), hash))
}
