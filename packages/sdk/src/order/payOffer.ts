import type { Address, Hex, TransactionReceipt } from 'viem'
import { getCode } from 'viem/actions'
import type { ChainReader } from '../chain/ChainReader.ts'
import { type ContractCall, contractCall, readMarket } from '../chain/contractCall.ts'
import type { MarketAddresses } from '../chain/readAddresses.ts'
import { toAppError } from '../errors/toAppError.ts'
import { choosePaymentWay, type PaymentWay } from './choosePaymentWay.ts'
import { type Offer, type PermitMessage, permitRequest } from './offers.ts'

/** The payer: a key in this program, or a wallet that asks its user. `Declined` is the result if the user refuses; a key has none. */
export interface PayingAccount<Declined extends undefined = never> {
  address: Address
  /** Whether it can execute several calls as one; without this, it cannot. */
  canBatch?: () => Promise<boolean>
  /** Signs a permit; `unable` if it needs an approval instead. */
  signPermit: (message: PermitMessage) => Promise<Hex | 'unable' | Declined>
  /** Sends the calls of a step and waits for the receipt. More than one call only if `canBatch` said yes. */
  send: (step: PaymentStep, calls: readonly [ContractCall, ...ContractCall[]]) => Promise<TransactionReceipt | Declined>
}

/** A transaction of a payment: `approve` lets the Market take the price, `pay` pays it. */
export type PaymentStep = 'approve' | 'pay'

/** The parts of a market that a payment needs. */
export interface PaidMarket {
  client: ChainReader
  addresses: MarketAddresses
  chainId: number
}

/** How an account pays a price. `isAllowed`: an earlier approval is enough. */
export async function readPaymentWay(
  { client, addresses }: PaidMarket,
  { address, canBatch }: Pick<PayingAccount, 'address' | 'canBatch'>,
  { spender, feeWei }: Pick<Offer, 'spender' | 'feeWei'>,
): Promise<{ way: PaymentWay; isAllowed: boolean }> {
  const [allowanceWei, accountCode, batches] = await Promise.all([
    readMarket(client, addresses, 'credit', 'allowance', [address, spender]),
    getCode(client, { address }).catch((error: unknown) => {
      throw toAppError(error)
    }),
    // A wallet that cannot say is assumed not to batch.
    canBatch?.().catch(() => false) ?? false,
  ])
  return { way: choosePaymentWay({ allowanceWei, feeWei, canBatch: batches, accountCode }), isAllowed: allowanceWei >= feeWei }
}

/**
 * Pays the price of an offer in as few steps as the account allows.
 *
 * @param onAllow called before the account is asked to let the Market take the price, with the way it does so; a second time, with
 * `approve`, if the account turns out to be unable to sign a permit.
 * @param onPay called before the payment itself is requested.
 * @throws what `account` throws, `rpc_unreachable`.
 */
export async function payOffer<Declined extends undefined = never>(
  market: PaidMarket,
  account: PayingAccount<Declined>,
  offer: Offer,
  { onAllow, onPay }: { onAllow?: (way: 'permit' | 'approve') => void; onPay?: (way: PaymentWay) => void } = {},
): Promise<TransactionReceipt | Declined> {
  const { way, isAllowed } = await readPaymentWay(market, account, offer)
  const approve = contractCall(market.addresses, 'credit', 'approve', [offer.spender, offer.feeWei])
  if (way === 'direct') {
    onPay?.(way)
    return account.send('pay', isAllowed ? [offer.plain] : [approve, offer.plain])
  }
  if (way === 'permit') {
    onAllow?.(way)
    const { message, permit } = await permitRequest(market, account.address, offer)
    const signature = await account.signPermit(message)
    if (signature === undefined) return signature
    if (signature !== 'unable') {
      onPay?.(way)
      return account.send('pay', [offer.withPermit(permit(signature))])
    }
  }
  onAllow?.('approve')
  const approved = await account.send('approve', [approve])
  if (approved === undefined) return approved
  onPay?.('approve')
  return account.send('pay', [offer.plain])
}
