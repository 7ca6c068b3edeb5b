import type { Address, Hex, TransactionReceipt } from 'viem'
import { getCode } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { type ContractCall, contractCall, readMarket } from '../chain/contractCall.ts'
import { permitSignature } from '../chain/creditPermit.ts'
import type { MarketAddresses } from '../chain/readAddresses.ts'
import { appError } from '../errors/appError.ts'
import { toAppError } from '../errors/toAppError.ts'
import { choosePaymentWay, type PaymentWay } from './choosePaymentWay.ts'
import { type Offer, type PermitMessage, permitRequest } from './offers.ts'

/** The payer: a key in this program, or a wallet that asks its user. `Declined` is the result if the user refuses; a key has none. */
export interface PayingAccount<Declined extends undefined = never> {
  address: Address
  /** Whether it can execute several calls as one; without this, it cannot. */
  canBatch?: () => Promise<boolean>
  /** Signs a permit; `unable` if it needs an approval instead, as it does after any signature that the contract would not take. */
  signPermit: (message: PermitMessage) => Promise<Hex | 'unable' | Declined>
  /** Called after such a signature: there is no use in asking for another one. */
  noteNoPermit?: () => void
  /**
   * Sends the calls of a step and waits for the receipt. More than one call only if `canBatch` said yes; `unable` if nothing of them was
   * sent because the account cannot do it after all, and the next way has to be taken.
   */
  send: (
    step: PaymentStep,
    calls: readonly [ContractCall, ...ContractCall[]],
  ) => Promise<TransactionReceipt | 'unable' | Declined>
}

/** A transaction of a payment: `approve` lets the Market take the price, `pay` pays it. */
export type PaymentStep = 'approve' | 'pay'

/** The parts of a market that a payment needs. */
export interface PaidMarket {
  client: ChainReader
  addresses: MarketAddresses
  chainId: number
}

/** How an account pays a price, and how if it turns out to be unable to batch. `isAllowed`: an earlier approval is enough. */
export async function readPaymentWay(
  { client, addresses }: PaidMarket,
  { address, canBatch }: Pick<PayingAccount, 'address' | 'canBatch'>,
  { spender, feeWei }: Pick<Offer, 'spender' | 'feeWei'>,
): Promise<{ way: PaymentWay; fallback: PaymentWay; isAllowed: boolean }> {
  const [allowanceWei, accountCode, batches] = await Promise.all([
    readMarket(client, addresses, 'credit', 'allowance', [address, spender]),
    getCode(client, { address }).catch((error: unknown) => {
      throw toAppError(error)
    }),
    // A wallet that cannot say is assumed not to batch.
    canBatch?.().catch(() => false) ?? false,
  ])
  const facts = { allowanceWei, feeWei, accountCode }
  return {
    way: choosePaymentWay({ ...facts, canBatch: batches }),
    fallback: choosePaymentWay({ ...facts, canBatch: false }),
    isAllowed: allowanceWei >= feeWei,
  }
}

/**
 * Pays the price of an offer in as few steps as the account allows: with a batch, else with a permit, else after an approval. A way that
 * turns out not to work is left for the next.
 *
 * @param onAllow called before the account is asked to let the Market take the price, with the way it does so; a second time, with
 * `approve`, if the account turns out to be unable to sign a permit.
 * @param onPay called before the payment itself is requested.
 * @throws what `account` throws, `rpc_unreachable`; `wallet_unable` if it cannot send a single call either.
 */
export async function payOffer<Declined extends undefined = never>(
  market: PaidMarket,
  account: PayingAccount<Declined>,
  offer: Offer,
  { onAllow, onPay }: { onAllow?: (way: 'permit' | 'approve') => void; onPay?: (way: PaymentWay) => void } = {},
): Promise<TransactionReceipt | Declined> {
  const { way, fallback, isAllowed } = await readPaymentWay(market, account, offer)
  const approve = contractCall(market.addresses, 'credit', 'approve', [offer.spender, offer.feeWei])
  if (way === 'direct') {
    onPay?.(way)
    if (isAllowed) return sendOne('pay', offer.plain)
    const sent = await account.send('pay', [approve, offer.plain])
    if (sent !== 'unable') return sent
  }
  if (fallback === 'permit') {
    onAllow?.('permit')
    const { message, permit } = await permitRequest(market, account.address, offer)
    const answer = await account.signPermit(message)
    if (answer === undefined) return answer
    const signature = answer === 'unable' ? undefined : await permitSignature(message, answer)
    if (signature !== undefined) {
      onPay?.('permit')
      return sendOne('pay', offer.withPermit(permit(signature)))
    }
    if (answer !== 'unable') account.noteNoPermit?.()
  }
  onAllow?.('approve')
  const approved = await sendOne('approve', approve)
  if (approved === undefined) return approved
  onPay?.('approve')
  return sendOne('pay', offer.plain)

  async function sendOne(step: PaymentStep, call: ContractCall): Promise<TransactionReceipt | Declined> {
    const sent = await account.send(step, [call])
    if (sent === 'unable') throw appError('wallet_unable', 'the account cannot send a transaction')
    return sent
  }
}
