import { createPurse, depositToPurse, purseOf, type Renter, readPurse, withdrawFromPurse } from '@rackfair/sdk'
import type { Address } from 'viem'
import { CliError, EXIT } from '../exitCodes.ts'
import { type Session, usd } from '../session.ts'
import { amountOf } from './market.ts'

/** Shows the purse of the account: its address, what it holds, and how many keys may spend it. */
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
  output.data({ purse: address, exists, creditWei, keys: valid }, text.purseHolds(address, usd(creditWei), valid))
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

/** The account with its own purse. @throws CliError if that does not exist */
export async function ownPurse(session: Session): Promise<{ owner: Renter; purse: Address }> {
  const owner = await session.renter()
  const { purse: address, exists } = await purseOf(owner, owner.wallet.account.address)
  if (!exists) throw new CliError(EXIT.notFound, 'not_found', session.text.purseMissing(address))
  return { owner, purse: address }
}
