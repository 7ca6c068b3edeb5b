import type { Hash, TransactionReceipt } from 'viem'
import { getCode, signTypedData } from 'viem/actions'
import { type ContractCall, contractCall, readMarket } from '../chain/contractCall.ts'
import { sendCall } from '../chain/sendCall.ts'
import { getBalances } from '../chain/views.ts'
import { waitForReceipt } from '../chain/waitForReceipt.ts'
import { appError } from '../errors/appError.ts'
import { toAppError } from '../errors/toAppError.ts'
import type { Payer } from '../market/connectMarket.ts'
import { choosePaymentWay } from './choosePaymentWay.ts'
import { type Offer, signPermit } from './offers.ts'

/** A transaction that has left: `approve` lets the Market take the price, `pay` hands it over. */
export interface SentTransaction {
  step: 'approve' | 'pay'
  hash: Hash
}

export interface PayOptions {
  /** Told of each transaction as soon as it has left: from then on it may be mined, whatever happens to this program. */
  onSent?: (sent: SentTransaction) => void
  /** Nothing is sent after it aborts. What has been sent is waited for. */
  signal?: AbortSignal | undefined
}

/** Hands over the price of an offer in as few transactions as the account allows. @throws AppError as `buyOrder` */
export async function payOffer(renter: Payer, offer: Offer, { onSent, signal }: PayOptions): Promise<TransactionReceipt> {
  const { client, addresses, wallet } = renter
  const { account } = wallet
  const [allowanceWei, accountCode, { creditWei }] = await Promise.all([
    readMarket(client, addresses, 'credit', 'allowance', [account.address, offer.spender]),
    getCode(client, { address: account.address }).catch((error: unknown) => {
      throw toAppError(error)
    }),
    getBalances(client, addresses, account.address),
  ])
  if (creditWei < offer.feeWei)
    throw appError('insufficient_credit', `the price is ${offer.feeWei} wei of Credit, the account has ${creditWei}`, {
      neededWei: String(offer.feeWei),
      haveWei: String(creditWei),
    })
  const send = async (step: SentTransaction['step'], call: ContractCall) => {
    signal?.throwIfAborted()
    const hash = await sendCall(client, wallet, call)
    onSent?.({ step, hash })
    return waitForReceipt(client, hash)
  }
  const way = choosePaymentWay({ allowanceWei, feeWei: offer.feeWei, canBatch: false, accountCode })
  if (way === 'permit') {
    const ask = await signPermit(renter, account.address, offer)
    const permit = await ask((message) => signTypedData(wallet, { account, ...message }))
    if (permit) return send('pay', offer.withPermit(permit))
  }
  if (way !== 'direct') await send('approve', contractCall(addresses, 'credit', 'approve', [offer.spender, offer.feeWei]))
  return send('pay', offer.plain)
}
