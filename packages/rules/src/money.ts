import { plainNumber } from './text/plainNumber.ts'

/** Credit and its display currency have 18 decimals; 1 Credit = 1 USD. */
export const CREDIT_DECIMALS = 18
export const ONE_CREDIT_WEI = 10n ** 18n

/** Prices go on chain as gwei, so they have at most nine decimals. */
export const PRICE_DECIMALS = 9
export const PRICE_GRANULARITY_WEI = 10n ** 9n

/**
 * Parses a plain decimal such as `12.5` as wei.
 *
 * @param decimals the maximum number of digits after the point; more gives `undefined`, never a rounded amount.
 * @returns `undefined` for anything that is not a non-negative plain decimal (no sign, exponent or separator).
 */
export function parseCredit(text: string, decimals = CREDIT_DECIMALS): bigint | undefined {
  const match = /^(\d{1,30})(?:\.(\d{1,18}))?$/.exec(plainNumber(text))
  if (!match) return undefined
  const fraction = match[2] ?? ''
  if (fraction.length > decimals) return undefined
  return BigInt(match[1] ?? '0') * ONE_CREDIT_WEI + BigInt(fraction.padEnd(CREDIT_DECIMALS, '0'))
}

/**
 * Formats wei as a decimal string.
 *
 * @param options.min minimum digits after the point (default 0).
 * @param options.max maximum digits after the point (default 18); the rest is truncated, towards zero.
 */
export function formatCredit(wei: bigint, options: { min?: number; max?: number } = {}): string {
  const { min = 0, max = CREDIT_DECIMALS } = options
  const sign = wei < 0n ? '-' : ''
  const digits = (wei < 0n ? -wei : wei).toString().padStart(CREDIT_DECIMALS + 1, '0')
  const whole = digits.slice(0, -CREDIT_DECIMALS)
  const cut = digits.slice(-CREDIT_DECIMALS).slice(0, max)
  const fraction = cut.replace(/0+$/, '').padEnd(min, '0')
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

const SUFFIXES = ['', 'k', 'm', 'b', 't'] as const

/**
 * The short balance of the account button (product specification, point 9): below 1 three decimals, below 100 two, below 10 000 one, above
 * that `k`, `m`, `b`, `t` with one decimal. Truncated towards zero: a balance is never shown larger than it is.
 */
export function formatBalanceShort(wei: bigint): string {
  const whole = wei / ONE_CREDIT_WEI
  if (whole < 1n) return formatCredit(wei, { max: 3 })
  if (whole < 100n) return formatCredit(wei, { max: 2 })
  if (whole < 10_000n) return formatCredit(wei, { max: 1 })
  let scale = 0
  let scaled = wei
  while (scaled / ONE_CREDIT_WEI >= 1000n && scale < SUFFIXES.length - 1) {
    scaled /= 1000n
    scale += 1
  }
  return `${formatCredit(scaled, { max: 1 })}${SUFFIXES[scale]}`
}
