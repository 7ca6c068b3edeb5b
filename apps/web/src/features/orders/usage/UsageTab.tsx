import type { UsagePoint } from '@rackfair/sdk/workspace'
import { Download, LockKeyhole } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { useErrorText } from '../../../platform/errors/useErrorText.ts'
import { Button } from '../../../ui/Button.tsx'
import { Choice } from '../../../ui/Choice.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { StateShape } from '../../../ui/StateDot.tsx'
import type { WorkspaceTabProps } from '../page/WorkspaceGate.tsx'
import { downloadUsage } from './downloadUsage.ts'
import { usageMessages } from './messages.ts'
import { UsageCharts } from './UsageCharts.tsx'
import { UsageFindings } from './UsageFindings.tsx'
import { UsageTable } from './UsageTable.tsx'
import { RANGES, USAGE_RANGES, type UsageRange } from './usageRange.ts'
import { type UsageSeries, usageSeries } from './usageSeries.ts'
import { useUsage } from './useUsage.ts'
import { useUsageWords } from './useUsageWords.ts'

type UsageView = 'chart' | 'table'

/** What the application uses of what was bought: now, and seven days back. */
export function UsageTab({ order, workspace, lock }: WorkspaceTabProps) {
  const text = useMessages(usageMessages)
  const errorText = useErrorText()
  const [range, setRange] = useState<UsageRange>('live')
  const [view, setView] = useState<UsageView>('chart')
  const now = useNow(10_000)
  const { limits, points, lostSince, error, again } = useUsage(workspace, range)
  const isLocked = error?.code === 'key_revoked' || error?.code === 'key_expired'
  useEffect(() => {
    if (isLocked) lock()
  }, [isLocked, lock])
  if (error)
    return (
      <div className="p-5">
        <ErrorState title={text.failed} details={errorText(error).details} onRetry={again}>
          {errorText(error).full}
        </ErrorState>
      </div>
    )
  const series = limits && usageSeries(limits, points ?? [])
  const to = Math.max(now, points?.at(-1)?.time ?? 0)
  return (
    <div className="fills">
      <UsageBar range={range} onRange={setRange} view={view} onView={setView}>
        <Button
          variant="quiet"
          size="sm"
          aria-label={text.csvLabel}
          icon={<Download aria-hidden className="size-4" />}
          disabledReason={points?.length ? undefined : text.nothing}
          reasonAs="tooltip"
          onClick={() => series && points && downloadUsage(order.id, series, points)}
        >
          {text.csv}
        </Button>
      </UsageBar>
      {!series || !points ? (
        <div className="p-5">
          <Skeleton size="page" />
        </div>
      ) : (
        <>
          {limits.cores === undefined && points.length === 0 && (
            <p className="border-b border-line px-edge py-3 text-ink-2">{text.notRunning}</p>
          )}
          {limits.cores !== undefined && points.length === 0 && <p className="px-edge py-3 text-ink-2">{text.nothing}</p>}
          {points.length === 0 ? null : view === 'chart' ? (
            <UsageCharts limits={limits} series={series} points={points} range={range} to={to} />
          ) : (
            <UsageTable series={series} points={points} />
          )}
          <UsageFindings order={order} limits={limits} points={points} />
        </>
      )}
      <UsageFoot lostSince={lostSince}>
        {series && points && points.length > 0 && <Peaks series={series} points={points} />}
      </UsageFoot>
    </div>
  )
}

interface UsageBarProps {
  range: UsageRange
  onRange: (range: UsageRange) => void
  view: UsageView
  onView: (view: UsageView) => void
  children: ReactNode
}

/** Which time is shown, and how. */
function UsageBar({ range, onRange, view, onView, children }: UsageBarProps) {
  const text = useMessages(usageMessages)
  const format = useFormat()
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line py-2.5 pr-3 pl-edge">
      <Choice
        label={text.range}
        value={range}
        onChange={onRange}
        options={USAGE_RANGES.map((value) => ({ value, label: text.ranges[value] }))}
      />
      <span className="text-xs text-ink-3 max-md:hidden">{text.every(format.duration(RANGES[range].step, 1))}</span>
      <span className="ml-auto flex flex-wrap items-center gap-3">
        <span className="inline-flex items-center gap-2 text-xs text-ink-3 max-md:hidden">
          <span className="usage-key" />
          {text.bought}
        </span>
        <Choice
          label={text.views}
          value={view}
          onChange={onView}
          options={[
            { value: 'chart', label: text.view.chart },
            { value: 'table', label: text.view.table },
          ]}
        />
        {children}
      </span>
    </div>
  )
}

/** Whether it is live, and how long figures are kept. */
function UsageFoot({ lostSince, children }: { lostSince: number | undefined; children: ReactNode }) {
  const text = useMessages(usageMessages)
  const format = useFormat()
  return (
    <div className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-edge py-2 text-xs text-ink-3">
      <span role="status" className="inline-flex items-center gap-1.5">
        <StateShape tone={lostSince === undefined ? 'run' : 'warn'} />
        {lostSince === undefined ? text.live : text.lostSince(format.clock(Math.floor(lostSince / 1000)))}
      </span>
      {children}
      <span className="ml-auto">{text.kept}</span>
      <span className="inline-flex items-center gap-1.5">
        <LockKeyhole aria-hidden className="size-3.5" />
        {text.sealed}
      </span>
    </div>
  )
}

/** The highest of what has a limit. */
function Peaks({ series, points }: { series: readonly UsageSeries[]; points: readonly UsagePoint[] }) {
  const text = useMessages(usageMessages)
  const words = useUsageWords()
  const format = useFormat()
  const peaks = series.flatMap(({ key, lines, limit }) => {
    if (limit === undefined || (key !== 'memory' && key !== 'gpuMemory' && key !== 'processor')) return []
    const highest = Math.max(...points.flatMap((point) => lines.map(({ figureOf }) => figureOf(point) ?? 0)))
    return [text.peakOf(words.title(key), words.value(key, highest), words.value(key, limit))]
  })
  return peaks.length > 0 && <span>{text.peak(format.list(peaks))}</span>
}
