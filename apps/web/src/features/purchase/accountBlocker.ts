import type { AccountState } from '../../wallet/index.ts'

/** What the wallet lacks before money can be spent, in the order in which a person can repair it. */
export type AccountBlocker =
  | { code: 'wait' }
  | { code: 'not_connected' }
  | { code: 'sign_in' }
  | { code: 'wrong_network' }
  | { code: 'fee_unreadable' }
  | { code: 'balance_unreadable' }
  | { code: 'balance_low'; missingWei: bigint }
  | { code: 'no_gas' }

export interface Funds {
  feeWei: bigint | undefined
  feeFailed: boolean
  creditWei: bigint | undefined
  nativeWei: bigint | undefined
  balanceFailed: boolean
  /** What the transactions may cost; 0 while unknown. */
  gasWei: bigint
}

export function connectionBlocker(account: Pick<AccountState, 'status' | 'supported'>): AccountBlocker | undefined {
  if (account.status === 'loading' || account.status === 'connecting') return { code: 'wait' }
  if (account.status === 'disconnected') return { code: 'not_connected' }
  if (account.status === 'unauthenticated') return { code: 'sign_in' }
  return account.supported ? undefined : { code: 'wrong_network' }
}

export function fundsBlocker(funds: Funds): AccountBlocker | undefined {
  if (funds.feeFailed) return { code: 'fee_unreadable' }
  if (funds.balanceFailed) return { code: 'balance_unreadable' }
  if (funds.feeWei === undefined || funds.creditWei === undefined || funds.nativeWei === undefined) return { code: 'wait' }
  if (funds.creditWei < funds.feeWei) return { code: 'balance_low', missingWei: funds.feeWei - funds.creditWei }
  return funds.nativeWei === 0n || funds.nativeWei < funds.gasWei ? { code: 'no_gas' } : undefined
}
