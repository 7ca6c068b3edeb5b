import { formatBalanceShort } from '@rackfair/rules/money'
import { useFormat } from '../i18n/useFormat.ts'
import { useMessages } from '../i18n/useMessages.ts'
import { StateShape } from '../ui/StateDot.tsx'
import { walletMessages } from './messages.ts'

export interface ShortBalanceProps {
  /** Credit; undefined while it is being read, or when that failed. */
  wei: bigint | undefined
  failed: boolean
  /** Reads the whole amount out instead of the short one. */
  spoken?: boolean
}

/** Dollars in few characters, the whole amount in the title. A read that failed is 0, marked. */
export function ShortBalance({ wei, failed, spoken = false }: ShortBalanceProps) {
  const text = useMessages(walletMessages)
  const format = useFormat()
  if (wei === undefined && !failed) return <span className="num">$…</span>
  const short = `$${formatBalanceShort(wei ?? 0n).replace(/^\d+/, (whole) => format.number(BigInt(whole)))}`
  const whole = wei === undefined ? text.unread : format.usd(wei, { max: 18 })
  return (
    <span className="num inline-flex items-center gap-1.5" title={whole}>
      {wei === undefined && <StateShape tone="warn" />}
      <span aria-hidden={spoken || undefined}>{short}</span>
      {spoken && <span className="sr-only">{whole}</span>}
    </span>
  )
}
