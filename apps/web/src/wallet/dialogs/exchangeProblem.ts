import { parseCredit } from '@rackfair/rules/money'

export type ExchangeProblem = 'not_a_number' | 'too_small' | 'too_much'

/** USDT counts in six decimals; what is finer cannot be changed. */
const USDT_DECIMALS = 6

/** The typed amount in wei, or what keeps it from being changed by somebody who has `heldWei`. */
export function readExchange(text: string, heldWei: bigint): { wei: bigint } | { problem: ExchangeProblem } {
  const wei = parseCredit(text)
  if (wei === undefined) return { problem: 'not_a_number' }
  if (wei === 0n || parseCredit(text, USDT_DECIMALS) === undefined) return { problem: 'too_small' }
  return wei > heldWei ? { problem: 'too_much' } : { wei }
}
