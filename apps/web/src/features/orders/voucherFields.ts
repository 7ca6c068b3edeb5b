import { parseCredit } from '@rackfair/rules/money'

export interface Voucher {
  amountWei: bigint
  code: `0x${string}`
}

/** A deadline, an offset and a length stand before the signature, each 32 bytes. */
const LEAST_BYTES = 96
const MAX_BYTES = 8192

/** Reads the two fields of a voucher, or says which of them is wrong. */
export function readVoucher(fields: { amount: string; code: string }): Voucher | { wrong: 'amount' | 'code' } {
  const amountWei = parseCredit(fields.amount)
  if (amountWei === undefined || amountWei === 0n) return { wrong: 'amount' }
  const code = fields.code.trim()
  const bytes = (code.length - 2) / 2
  const valid = /^0x([0-9a-fA-F]{2})+$/.test(code) && bytes >= LEAST_BYTES && bytes <= MAX_BYTES
  return valid ? { amountWei, code: code as `0x${string}` } : { wrong: 'code' }
}
