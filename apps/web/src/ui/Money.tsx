import { useFormat } from '../i18n/useFormat.ts'

export interface MoneyProps {
  /** Wei; 18 decimals to the dollar. */
  wei: bigint
  /** Digits after the point that are shown at most (2 by default). Those beyond the cents are dim. */
  digits?: number
  /** Rounds up instead, where what is left of a whole is shown beside it and both have to add up. */
  up?: boolean
  /** Always as many digits, so that amounts below each other stand in line. */
  fixed?: boolean
  /** It runs while it is looked at: digits that change light up. */
  ticks?: boolean
  /** Written after the amount, for example `/h`. */
  per?: string
}

/** Dollars to the digit, cut towards zero by default. The whole amount is in the title. */
export function Money({ wei, digits = 2, up = false, fixed = false, ticks = false, per }: MoneyProps) {
  const format = useFormat()
  const text = format.usd(up ? roundUp(wei, digits) : wei, { max: digits, ...(fixed ? { min: digits } : {}) })
  const point = text.lastIndexOf('.')
  const cut = digits > 2 && point >= 0 ? point + 3 : text.length
  return (
    <span className="num whitespace-nowrap" title={format.usd(wei, { max: 18 })}>
      {text.slice(0, cut)}
      {cut < text.length && (
        <span key={ticks ? text : undefined} className={`text-ink-3 ${ticks ? 'animate-tick' : ''}`}>
          {text.slice(cut)}
        </span>
      )}
      {per !== undefined && <span className="text-ink-3">{per}</span>}
    </span>
  )
}

function roundUp(wei: bigint, digits: number): bigint {
  const unit = 10n ** BigInt(18 - digits)
  return ((wei + unit - 1n) / unit) * unit
}
