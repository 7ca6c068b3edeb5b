import { ALLOWED_DOWNTIME_PERCENT, HOUR_SECONDS } from '@rackfair/rules/duration'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Facts } from '../../ui/Facts.tsx'
import { Money } from '../../ui/Money.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import type { Market } from '../../wallet/index.ts'
import { purchaseMessages } from './messages.ts'
import { paramsQuery } from './purchaseQueries.ts'
import { RefundCurve } from './RefundCurve.tsx'

/** Seconds after the start at which what comes back is named; what does after a day stands beside the price. */
const MOMENTS = [HOUR_SECONDS, 7 * 24 * HOUR_SECONDS]

export interface RefundRulesProps {
  market: Market | undefined
  /** Wei per month; undefined until it is known. */
  rate: bigint | undefined
  feeWei: bigint | undefined
  /** Unix seconds between which the machine would be held; undefined while no time is chosen. */
  span: { start: number; end: number } | undefined
}

/** When money comes back and how much, by the Market's present parameters. */
export function RefundRules({ market, rate, feeWei, span }: RefundRulesProps) {
  const text = useMessages(purchaseMessages)
  const format = useFormat()
  const params = useQuery(paramsQuery(market))
  if (!params.data) return params.isError ? null : <Skeleton />
  const { penalty } = params.data
  return (
    <div className="flex flex-col gap-3">
      <p>{text.rules}</p>
      {feeWei !== undefined && span && <RefundCurve feeWei={feeWei} {...span} />}
      {rate !== undefined && feeWei !== undefined && (
        <Facts
          facts={MOMENTS.map((seconds) => ({
            term: text.backAfter(format.longDuration(seconds)),
            value: <Money wei={feeWei - accruedWei(rate, seconds)} />,
          }))}
        />
      )}
      {rate !== undefined && penalty > 0 && (
        <p className="text-xs text-ink-3">
          {text.rulesAway(format.percent(ALLOWED_DOWNTIME_PERCENT / 100, 1), format.usd(accruedWei(rate, penalty)))}
        </p>
      )}
    </div>
  )
}
