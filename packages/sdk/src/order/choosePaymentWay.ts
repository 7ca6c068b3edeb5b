/**
 * How a fee is paid: directly with the order (in one batch, or from an existing allowance), with a signed permit, or after an approval of
 * its own.
 */
export type PaymentWay = 'direct' | 'permit' | 'approve'

/**
 * Prefers a single signature: an atomic batch if the wallet can, else a permit, else an approval of exactly the fee. An account with code
 * cannot sign a permit, unless it is an ordinary key that delegates (EIP-7702).
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
