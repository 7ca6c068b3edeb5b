import { nodeName } from '@rackfair/rules/node/name'
import type { NodeDay } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providerTexts } from '../../../entities/provider/providerTexts.ts'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Choice } from '../../../ui/Choice.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Figure } from '../../../ui/Figure.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Money } from '../../../ui/Money.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { Sparkline } from '../../../ui/Sparkline.tsx'
import { Table } from '../../../ui/Table.tsx'
import { TimeSeries } from '../../../ui/TimeSeries.tsx'
import { drawnHeight, weiOfHeight } from '../drawnHeight.ts'
import { moneyMessages } from '../messages.ts'
import { earningsQuery } from '../moneyQueries.ts'
import { earningsSeries, type NodeEarnings } from './earningsSeries.ts'

const RANGES = { days7: 7, days30: 30, days90: 90 } as const

/** What was earned per day and per node. */
export function EarningsPanel({ address, providerName }: { address: string; providerName: string }) {
  const shared = useMessages(providerTexts)
  const text = useMessages(moneyMessages).earnings
  const errorText = useErrorText()
  const earnings = useQuery(earningsQuery(address))
  return (
    <Loaded
      query={earnings}
      failed={text.failed}
      safe={shared.readSafe}
      details={(error) => errorText(error).details}
      skeleton={<Skeleton size="panel" />}
    >
      {({ days }) =>
        days.length === 0 ? (
          <EmptyState title={text.emptyTitle}>{text.emptyText}</EmptyState>
        ) : (
          <EarningsOf days={days} providerName={providerName} />
        )
      }
    </Loaded>
  )
}

function EarningsOf({ days, providerName }: { days: readonly NodeDay[]; providerName: string }) {
  const text = useMessages(moneyMessages).earnings
  const format = useFormat()
  const now = useNow(60_000)
  const [range, setRange] = useState<keyof typeof RANGES>('days30')
  const series = earningsSeries(days, now, RANGES[range])
  const average = series.netWei / BigInt(RANGES[range])
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className="flex flex-wrap gap-8">
          <Figure term={text.total}>
            <Money wei={series.netWei} digits={6} />
          </Figure>
          <Figure term={text.average}>
            <Money wei={average} digits={6} />
          </Figure>
          {series.commissionWei > 0n && (
            <Figure term={text.commission}>
              <Money wei={series.commissionWei} digits={6} />
            </Figure>
          )}
        </div>
        <Choice
          label={text.range}
          value={range}
          onChange={setRange}
          options={[
            { value: 'days7', label: text.days7 },
            { value: 'days30', label: text.days30 },
            { value: 'days90', label: text.days90 },
          ]}
        />
      </div>
      {series.nodes.length === 0 ? (
        <p className="text-ink-3">{text.emptyRange}</p>
      ) : (
        <>
          <TimeSeries
            times={series.days}
            series={[{ name: text.earned, tone: 'idle', values: series.perDayWei.map(drawnHeight) }]}
            label={text.chart}
            formatValue={(value) => format.usd(weiOfHeight(value), { max: value !== 0 && value < 1e6 ? 6 : 2 })}
            formatTime={format.day}
          />
          <Table<NodeEarnings>
            caption={text.perNode}
            rows={series.nodes}
            rowKey={(node) => String(node.nodeId)}
            columns={[
              { key: 'node', title: text.node, head: true, cell: (node) => nodeName(providerName, node.nodeId) },
              { key: 'net', title: text.earned, numeric: true, cell: (node) => <Money wei={node.netWei} digits={6} /> },
              {
                key: 'share',
                title: text.share,
                numeric: true,
                cell: (node) => format.percent(Number((node.netWei * 1000n) / (series.netWei || 1n)) / 1000),
              },
              {
                key: 'trend',
                title: text.trend,
                cell: (node) => (
                  <Sparkline
                    tone="idle"
                    values={node.perDayWei.map(drawnHeight)}
                    label={text.trendOf(nodeName(providerName, node.nodeId), format.usd(node.netWei, { max: 6 }))}
                  />
                ),
              },
            ]}
          />
        </>
      )}
    </div>
  )
}
