import { DAY_SECONDS, HOUR_SECONDS } from '@rackfair/rules/duration'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import type { ReactNode } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { Facts } from '../../../ui/Facts.tsx'
import { Money } from '../../../ui/Money.tsx'
import { termTexts } from './termTexts.ts'
import { useTermText } from './useTermText.ts'

/** Of a price per hour, and of sums of a few hours: those of whole dollars need none. */
const DIGITS = 4

export interface CostProps {
  /** Undefined until it is known. */
  feeWei: bigint | undefined
  /** Of the machine, wei per month. */
  rateWei: bigint
  /** For how long, where it is known. */
  seconds: number | undefined
  /** Beside the words before the sum, small. */
  aside?: ReactNode
  /** Instead of the sum. */
  children?: ReactNode
}

/** What leaves the wallet now, what an hour costs, and what comes back of it for who stops a day later; an hour where it is for a day at most, half of one where it is for one. */
export function Cost({ feeWei, rateWei, seconds, aside, children }: CostProps) {
  const text = useMessages(termTexts)
  const format = useFormat()
  const termText = useTermText()
  const isShort = seconds !== undefined && seconds <= DAY_SECONDS
  const stop = !isShort ? DAY_SECONDS : seconds > HOUR_SECONDS ? HOUR_SECONDS : HOUR_SECONDS / 2
  const backWei = feeWei === undefined ? undefined : feeWei - accruedWei(rateWei, stop)
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="font-semibold">
          {text.payNow}
          {aside !== undefined && <span className="ml-2 text-xs font-normal text-ink-3">{aside}</span>}
        </span>
        <span className="text-2xl" data-testid="fee">
          {children ?? (feeWei === undefined ? '–' : <Money wei={feeWei} digits={DIGITS} />)}
        </span>
      </p>
      <Facts
        facts={[
          {
            term: text.costs,
            value: (
              <span className="whitespace-nowrap">
                {text.anHour(format.usd(accruedWei(rateWei, HOUR_SECONDS), { min: DIGITS, max: DIGITS }))}
              </span>
            ),
          },
          {
            term: isShort ? text.backAfter(termText(stop)) : text.backTomorrow,
            value: backWei === undefined ? '–' : <Money wei={backWei < 0n ? 0n : backWei} digits={isShort ? DIGITS : 2} />,
          },
        ]}
      />
    </div>
  )
}
