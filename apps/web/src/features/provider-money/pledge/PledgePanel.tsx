import type { PledgePoint } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useProviderMoney } from '../../../entities/provider/useProviderMoney.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Figure } from '../../../ui/Figure.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { TimeSeries } from '../../../ui/TimeSeries.tsx'
import { drawnHeight, weiOfHeight } from '../drawnHeight.ts'
import { moneyMessages } from '../messages.ts'
import { pledgeHistoryQuery } from '../moneyQueries.ts'
import { PledgeMoves } from './PledgeMoves.tsx'
import { pledgeSeries } from './pledgeSeries.ts'

const DAY = 86_400
const RANGES = { days7: 7 * DAY, days30: 30 * DAY, days90: 90 * DAY, all: undefined } as const

/** The pledge and its interest over time, and every move of them. */
export function PledgePanel({ address }: { address: string }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(moneyMessages).pledgeHistory
  const errorText = useErrorText()
  const { money } = useProviderMoney()
  const history = useQuery(pledgeHistoryQuery(address))
  return (
    <Loaded
      query={history}
      failed={text.failed}
      safe={shared.readSafe}
      details={(error) => errorText(error).details}
      skeleton={<Skeleton size="panel" />}
    >
      {({ points, moves }) =>
        points.length === 0 ? (
          <EmptyState title={text.emptyTitle}>{text.emptyText}</EmptyState>
        ) : (
          <div className="flex flex-col gap-8">
            <PledgeCharts points={points} interestWei={money?.interestWei} />
            <PledgeMoves moves={moves} />
          </div>
        )
      }
    </Loaded>
  )
}

function PledgeCharts({ points, interestWei }: { points: readonly PledgePoint[]; interestWei: bigint | undefined }) {
  const text = useMessages(moneyMessages).pledgeHistory
  const format = useFormat()
  const now = useNow(60_000)
  const [range, setRange] = useState<keyof typeof RANGES>('all')
  const length = RANGES[range]
  const from = length === undefined ? (points[0]?.time ?? now) : now - length
  const series = pledgeSeries(points, { from, now, interestWei })
  const amount = (height: number) => format.usd(weiOfHeight(height), { max: height !== 0 && height < 1e6 ? 6 : 2 })
  const time = now - from < 7 * DAY ? format.dateTime : format.date
  const [earnedWei, withdrawnWei] = [series.earnedWei.at(-1) ?? 0n, series.withdrawnWei.at(-1) ?? 0n]

  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="flex flex-wrap gap-8">
          <Figure term={text.pledged}>
            <Money wei={series.pledgedWei.at(-1) ?? 0n} />
          </Figure>
          <Figure term={text.locked}>
            <Money wei={series.lockedWei.at(-1) ?? 0n} />
          </Figure>
          <Figure term={text.earned}>
            <Money wei={earnedWei} digits={6} />
          </Figure>
          <Figure term={text.withdrawn}>
            <Money wei={withdrawnWei} digits={6} />
          </Figure>
        </div>
        <Choice
          label={text.range}
          value={range}
          onChange={setRange}
          options={[
            { value: 'days7', label: text.days7 },
            { value: 'days30', label: text.days30 },
            { value: 'days90', label: text.days90 },
            { value: 'all', label: text.all },
          ]}
        />
      </div>
      <div className="grid gap-8 lg:grid-cols-2">
        <Section title={text.pledgeChart}>
          <TimeSeries
            times={series.times}
            series={[
              { name: text.pledged, tone: 'run', values: series.pledgedWei.map(drawnHeight) },
              { name: text.locked, tone: 'ink', values: series.lockedWei.map(drawnHeight) },
            ]}
            label={text.pledgeChart}
            formatValue={amount}
            formatTime={time}
          />
        </Section>
        <Section title={text.interestChart}>
          {earnedWei === 0n ? (
            <p className="text-ink-3">{text.noInterest}</p>
          ) : (
            <TimeSeries
              times={series.times}
              series={[
                { name: text.earned, tone: 'idle', values: series.earnedWei.map(drawnHeight) },
                { name: text.withdrawn, tone: 'ink', values: series.withdrawnWei.map(drawnHeight) },
              ]}
              label={text.interestChart}
              formatValue={amount}
              formatTime={time}
            />
          )}
        </Section>
      </div>
    </div>
  )
}
