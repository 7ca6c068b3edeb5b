import { fundsBlocker } from '@rackfair/rules/order/checkout'
import type { Hash, TransactionReceipt } from 'viem'
import { signTypedData } from 'viem/actions'
import { sendCall } from '../chain/sendCall.ts'
import { getBalances } from '../chain/views.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { appError } from '../errors/appError.ts'
import type { Payer } from '../market/connectMarket.ts'
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
 * @example requireFunds(feeWei, await getBalances(client, addresses, account.address))
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

/** Pays the price of an offer with the key of this program. @throws AppError as `buyOrder` */
export async function payFromKey(renter: Payer, offer: Offer, { onSent, signal }: PayOptions): Promise<TransactionReceipt> {
  const { client, addresses, wallet } = renter
  const { account } = wallet
  requireFunds(offer.feeWei, await getBalances(client, addresses, account.address))
  const key: PayingAccount = {
    address: account.address,
    signPermit: (message) => signTypedData(wallet, { account, ...message }),
    send: async (step, [call]) => {
      signal?.throwIfAborted()
      const hash = await sendCall(client, wallet, call)
      onSent?.({ step, hash })
      return waitForReceipt(client, hash)
    },
  }
  return payOffer(renter, key, offer)
}
