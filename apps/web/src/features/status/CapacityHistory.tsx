import { readNetworkSeries } from '@rackfair/sdk/http'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../platform/api/api.ts'
import { Card } from '../../ui/Card.tsx'
import { Choice } from '../../ui/Choice.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { TimeSeries } from '../../ui/TimeSeries.tsx'
import { statusMessages } from './messages.ts'
import { DRAWN, type Drawn, seriesOf } from './seriesOf.ts'
import { useResourceText } from './useResourceText.ts'

const RANGES = ['24h', '7d', '30d'] as const

/** What was listed and what was in use, over a day, a week or a month. */
export function CapacityHistory() {
  const text = useMessages(statusMessages)
  const format = useFormat()
  const write = useResourceText()
  const [drawn, setDrawn] = useState<Drawn>('machines')
  const [range, setRange] = useState<(typeof RANGES)[number]>('24h')
  const series = useQuery({
    queryKey: ['status', 'series', range],
    queryFn: ({ signal }) => api.series(range, { signal }),
    select: readNetworkSeries,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    refetchInterval: 300_000,
    meta: { live: ['order', 'node'] },
  })
  return (
    <Card
      title={text.history}
      aside={
        <span className="flex flex-wrap gap-2.5">
          <Choice
            label={text.resource}
            value={drawn}
            onChange={setDrawn}
            options={DRAWN.map((value) => ({ value, label: text[value] }))}
          />
          <Choice
            label={text.range}
            value={range}
            onChange={setRange}
            options={RANGES.map((value) => ({ value, label: text.ranges[value] }))}
          />
        </span>
      }
    >
      <div className="min-h-56">
        <Loaded query={series} failed={text.historyFailed} safe={text.historyFailedText} skeleton={<Skeleton size="card" />}>
          {({ points, stepSeconds }) => {
            const lines = seriesOf(points, drawn)
            if (lines.times.length <= 1)
              return <EmptyState title={text.historyShort}>{text.historyShortText(format.longDuration(stepSeconds))}</EmptyState>
            return (
              <TimeSeries
                label={text.chart(text[drawn], text.ranges[range])}
                times={lines.times}
                series={[
                  { name: text.listedSeries, tone: 'ink', values: lines.listed },
                  { name: text.usedSeries, tone: 'run', values: lines.used },
                ]}
                formatValue={(value) => write(drawn, value, 1)}
                formatTime={range === '30d' ? format.date : format.stamp}
              />
            )
          }}
        </Loaded>
      </div>
    </Card>
  )
}
