import { useQuery } from '@tanstack/react-query'
import { type Market, useBalance } from '../../wallet/index.ts'
import { type AccountBlocker, fundsBlocker } from './accountBlocker.ts'
import { gasQuery } from './purchaseQueries.ts'

/** What the wallet lacks to pay this fee. */
export function useFundsBlocker(fee: {
  market: Market | undefined
  feeWei: bigint | undefined
  feeFailed: boolean
}): AccountBlocker | undefined {
  const balance = useBalance()
  const gas = useQuery(gasQuery(fee.market))
  return fundsBlocker({
    feeWei: fee.feeWei,
    feeFailed: fee.feeFailed,
    creditWei: balance.creditWei,
    nativeWei: balance.nativeWei,
    balanceFailed: balance.isError,
    gasWei: gas.data ?? 0n,
  })
}
