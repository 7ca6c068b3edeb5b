import { choosePaymentWay, type PaymentWay, readMarket } from '@rackfair/sdk'
import type { Address } from 'viem'
import { getCode } from 'viem/actions'
import type { Market } from '../../wallet/index.ts'

/** How this account hands over a fee. `isAllowed`: what an earlier try approved is enough. */
export async function readPaymentWay(
  market: Market,
  address: Address,
  { spender, feeWei }: { spender: Address; feeWei: bigint },
  canBatch: () => Promise<boolean>,
): Promise<{ way: PaymentWay; isAllowed: boolean }> {
  const [allowanceWei, accountCode, batch] = await Promise.all([
    readMarket(market.client, market.addresses, 'credit', 'allowance', [address, spender]),
    getCode(market.client, { address }),
    // A wallet that cannot say is asked step by step.
    canBatch().catch(() => false),
  ])
  const way = choosePaymentWay({ allowanceWei, feeWei, canBatch: batch, accountCode })
  return { way, isAllowed: allowanceWei >= feeWei }
}
