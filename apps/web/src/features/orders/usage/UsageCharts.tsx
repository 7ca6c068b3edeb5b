import type { UsageLimits, UsagePoint } from '@rackfair/sdk/workspace'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { usageMessages } from './messages.ts'
import { UsageChart } from './UsageChart.tsx'
import { gapSeconds, RANGES, type UsageRange } from './usageRange.ts'
import type { UsageSeries } from './usageSeries.ts'
import { useUsageWords } from './useUsageWords.ts'

export interface UsageChartsProps {
  limits: UsageLimits
  series: readonly UsageSeries[]
  points: readonly UsagePoint[]
  range: UsageRange
  /** Unix seconds at the right edge. */
  to: number
}

/** All figures over one stretch of time, with one cursor for all: the pointer, or the arrow keys. */
export function UsageCharts({ limits, series, points, range, to }: UsageChartsProps) {
  const text = useMessages(usageMessages)
  const format = useFormat()
  const words = useUsageWords()
  const [time, setTime] = useState<number>()
  const from = to - RANGES[range].seconds
  const at = time === undefined ? -1 : nearest(points, time)
  const cursor = points[at]
  const read = cursor ?? points.at(-1)
  const model = limits.gpus[0]?.model
  const step = (by: number) => {
    const next = points[Math.max(0, Math.min(points.length - 1, (at < 0 ? points.length - 1 : at) + by))]
    if (next) setTime(next.time)
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-label={text.cursor}
      aria-valuemin={0}
      aria-valuemax={Math.max(0, points.length - 1)}
      aria-valuenow={at < 0 ? Math.max(0, points.length - 1) : at}
      aria-valuetext={
        read
          ? `${format.stamp(read.time)}: ${series.map(({ key, lines }) => `${words.title(key)} ${lines.map(({ figureOf }) => words.value(key, figureOf(read))).join(', ')}`).join('; ')}`
          : text.nothing
      }
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') step(-1)
        else if (event.key === 'ArrowRight') step(1)
        else if (event.key === 'Escape') setTime(undefined)
        else return
        event.preventDefault()
      }}
      className="usage-grid"
    >
      {series.map((one, index) => (
        <UsageChart
          key={one.key}
          series={one}
          points={points}
          from={from}
          to={to}
          gap={gapSeconds(range)}
          cursor={cursor && cursor.time >= from ? cursor : undefined}
          onCursor={setTime}
          wide={index === 0}
          {...(one.key === 'gpu' && model !== undefined ? { note: text.models(format.number(limits.gpus.length), model) } : {})}
        />
      ))}
    </div>
  )
}

/** The place of the point that is next to a time. */
function nearest(points: readonly UsagePoint[], time: number): number {
  let found = -1
  for (const [index, point] of points.entries())
    if (found < 0 || Math.abs(point.time - time) <= Math.abs((points[found]?.time ?? 0) - time)) found = index
  return found
}
