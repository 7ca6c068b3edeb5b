/** How a fee is handed over: with the order itself (one batch, or an allowance that is there already), by a signed permit, or by an approval of its own. */
export type PaymentWay = 'direct' | 'permit' | 'approve'

/**
 * One signature is preferred: an atomic batch where the wallet can, else a permit, else an approval of exactly the fee.
 * An account with code cannot sign a permit, unless it is an ordinary key that delegates (EIP-7702).
 */
export function choosePaymentWay(facts: {
  allowanceWei: bigint
  feeWei: bigint
  canBatch: boolean
  accountCode: string | undefined
}): PaymentWay {
  if (facts.allowanceWei >= facts.feeWei || facts.canBatch) return 'direct'
  const code = facts.accountCode ?? '0x'
  return code === '0x' || code.startsWith('0xef0100') ? 'permit' : 'approve'
}
