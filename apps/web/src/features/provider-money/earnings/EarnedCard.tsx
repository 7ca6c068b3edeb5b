import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Card } from '../../../ui/Card.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { DayBars } from '../../../ui/DayBars.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { drawnHeight, weiOfHeight } from '../drawnHeight.ts'
import { moneyMessages } from '../messages.ts'
import { earningsQuery } from '../moneyQueries.ts'
import { earningsSeries } from './earningsSeries.ts'

const RANGES = { days7: 7, days30: 30, days90: 90 } as const

/** What was earned each day, commission taken off. */
export function EarnedCard({ address }: { address: string }) {
  const all = useMessages(moneyMessages)
  const text = all.earned
  const format = useFormat()
  const errorText = useErrorText()
  const now = useNow(60_000)
  const [range, setRange] = useState<keyof typeof RANGES>('days30')
  const earnings = useQuery(earningsQuery(address))
  return (
    <Card
      title={text.title(format.number(RANGES[range]))}
      aside={
        <Choice
          label={all.earnings.range}
          value={range}
          onChange={setRange}
          options={[
            { value: 'days7', label: all.earnings.days7 },
            { value: 'days30', label: all.earnings.days30 },
            { value: 'days90', label: all.earnings.days90 },
          ]}
        />
      }
    >
      <Loaded
        line
        query={earnings}
        failed={earnings.error ? errorText(earnings.error).full : ''}
        skeleton={<Skeleton size="card" />}
      >
        {({ days }) => {
          const series = earningsSeries(days, now, RANGES[range])
          return (
            <>
              <p className="mb-3 flex flex-wrap items-baseline gap-x-3">
                <span className="num text-lg">
                  <Money wei={series.netWei} fixed />
                </span>
                {series.commissionWei > 0n && (
                  <span className="text-xs text-ink-3">{text.lessCommission(format.usd(series.commissionWei))}</span>
                )}
              </p>
              {series.netWei === 0n ? (
                <p className="text-xs text-ink-3">{text.nothingEarned}</p>
              ) : (
                <DayBars
                  days={series.days}
                  values={series.perDayWei.map(drawnHeight)}
                  label={text.bars}
                  formatValue={(value) => format.usd(weiOfHeight(value))}
                  formatDay={format.day}
                  today={text.today}
                />
              )}
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}
