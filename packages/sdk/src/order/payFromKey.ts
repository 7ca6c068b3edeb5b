import { fundsBlocker } from '@rackfair/rules/order/checkout'
import type { Hash, TransactionReceipt } from 'viem'
import { signTypedData } from 'viem/actions'
import { type SendableCall, sendCall } from '../chain/sendCall.ts'
import { getBalances } from '../chain/views.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { appError } from '../errors/appError.ts'
import type { Payer } from '../market/connectMarket.ts'
import { asUser } from '../purse/asUser.ts'
import type { Offer } from './offers.ts'
import { type PayingAccount, type PaymentStep, payOffer } from './payOffer.ts'

/** A transaction that was sent. */
export interface SentTransaction {
  step: PaymentStep
  hash: Hash
}

export interface PayOptions {
  /** Called with each transaction as soon as it is sent: from then on it may be mined, whatever happens to this program. */
  onSent?: (sent: SentTransaction) => void
  /** Once it aborts, nothing more is sent; transactions already sent are still awaited. */
  signal?: AbortSignal | undefined
}

/**
 * Refuses a price that an account cannot pay, before anything is signed. Amounts in wei.
 * @throws AppError `insufficient_credit` with what is needed and there, `insufficient_gas` for an account without any.
 * @example requireFunds(feeWei, await readFunds(renter))
 */
export function requireFunds(feeWei: bigint, has: { creditWei: bigint; nativeWei: bigint }): void {
  const blocker = fundsBlocker({ feeWei, gasWei: 0n }, has)
  if (blocker?.code === 'balance_low')
    throw appError('insufficient_credit', `the price is ${feeWei} wei of Credit, the account has ${has.creditWei}`, {
      neededWei: String(feeWei),
      haveWei: String(has.creditWei),
    })
  if (blocker) throw appError('insufficient_gas', 'the account has nothing of the chain’s own currency to pay for gas')
}

/**
 * What a renter can pay with, in wei: the Credit of its purse, if it acts for one, and its own account's currency for gas.
 * @throws AppError `rpc_unreachable`.
 * @example requireFunds(feeWei, await readFunds(renter))
 */
export async function readFunds(renter: Payer): Promise<{ creditWei: bigint; nativeWei: bigint }> {
  const { client, addresses, wallet } = renter
  const own = await getBalances(client, addresses, wallet.account.address)
  if (renter.purse === undefined) return own
  return { ...own, creditWei: (await getBalances(client, addresses, renter.purse)).creditWei }
}

/** Pays the price of an offer with the key of this program. @throws AppError as `buyOrder` */
export async function payFromKey(renter: Payer, offer: Offer, options: PayOptions): Promise<TransactionReceipt> {
  // A purse lets the Market take exactly the price itself.
  if (renter.purse !== undefined) return payByCall(renter, offer.feeWei, asUser(renter, offer.plain), options)
  const { account } = renter.wallet
  requireFunds(offer.feeWei, await readFunds(renter))
  const key: PayingAccount = {
    address: account.address,
    signPermit: (message) => signTypedData(renter.wallet, { account, ...message }),
    send: (step, [call]) => send(renter, step, call, options),
  }
  return payOffer(renter, key, offer)
}

/** Pays a price with a call that needs no permit. @throws AppError as `buyOrder` */
export async function payByCall(
  renter: Payer,
  feeWei: bigint,
  call: SendableCall,
  options: PayOptions,
): Promise<TransactionReceipt> {
  requireFunds(feeWei, await readFunds(renter))
  return send(renter, 'pay', call, options)
}

async function send(
  { client, wallet }: Payer,
  step: PaymentStep,
  call: SendableCall,
  { onSent, signal }: PayOptions,
): Promise<TransactionReceipt> {
  signal?.throwIfAborted()
  const hash = await sendCall(client, wallet, call)
  onSent?.({ step, hash })
  return waitForReceipt(client, hash)
}
