import type { UsagePoint } from '@rackfair/sdk/workspace'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { areaPath, chartScale, lineStretches, PLOT_HEIGHT, PLOT_WIDTH, strokePath } from './chartScale.ts'
import { usageMessages } from './messages.ts'
import type { UsageSeries } from './usageSeries.ts'
import { useUsageWords } from './useUsageWords.ts'

export interface UsageChartProps {
  series: UsageSeries
  points: readonly UsagePoint[]
  /** Unix seconds at both ends of the axis. */
  from: number
  to: number
  gap: number
  /** The moment that is read, in all charts the same; undefined for the newest. */
  cursor: UsagePoint | undefined
  onCursor: (time: number | undefined) => void
  /** Beside the title. */
  note?: string
  wide?: boolean
}

const STROKES = ['stroke-run', 'stroke-ink']
const MARKS = ['bg-run', 'bg-ink']
const SHARES = [0, 0.25, 0.5, 0.75, 1]

/** One figure over time, with what was bought as a dashed line. Values are read in the heading. */
export function UsageChart({ series, points, from, to, gap, cursor, onCursor, note, wide = false }: UsageChartProps) {
  const text = useMessages(usageMessages)
  const format = useFormat()
  const words = useUsageWords()
  const { key, lines, limit } = series
  const highest = Math.max(0, ...lines.flatMap(({ figureOf }) => points.map((point) => figureOf(point) ?? 0)))
  const scale = chartScale({ from: series.from, highest, limit })
  const read = cursor ?? points.at(-1)
  const place = (value: number) => `${(1 - (value - scale.from) / (scale.top - scale.from)) * 100}%`
  const across = (time: number) => `${((time - from) / (to - from)) * 100}%`
  const valueAt = (index: number) => read && lines[index]?.figureOf(read)
  return (
    <figure
      aria-label={text.chartOf(
        words.title(key),
        lines.map((_, index) => words.value(key, valueAt(index))).join(', '),
        words.value(key, highest),
      )}
      className={`min-w-0 px-edge pt-4 pb-3 ${wide ? 'usage-wide' : ''}`}
    >
      <Heading series={series} read={read} note={note} />
      <div aria-hidden className={`usage-plot ${wide ? 'usage-plot-tall' : ''}`}>
        <div className="usage-axis num text-xs text-ink-3">
          {scale.ticks.map((tick) => (
            <span key={tick} style={{ top: place(tick) }}>
              {format.number(tick, 2)}
            </span>
          ))}
        </div>
        <div
          className="usage-box"
          onPointerMove={({ clientX, currentTarget }) => {
            const { left, width } = currentTarget.getBoundingClientRect()
            onCursor(from + ((clientX - left) / width) * (to - from))
          }}
          onPointerLeave={() => onCursor(undefined)}
        >
          <Plot lines={lines} points={points} limit={limit} scale={scale} place={place} {...{ from, to, gap }} />
          {limit !== undefined && (
            <span className="usage-limit num text-xs" style={{ top: place(limit) }}>
              {words.value(key, limit)}
            </span>
          )}
          {cursor && <Cursor lines={lines} cursor={cursor} left={across(cursor.time)} place={place} />}
        </div>
        <div className="usage-times num text-xs text-ink-3">
          {SHARES.map((share) => (
            <span key={share}>{words.axisTime(from + share * (to - from), to - from)}</span>
          ))}
          {cursor && (
            <span className="usage-now rounded-xs bg-ink px-1 text-paper" style={{ left: across(cursor.time) }}>
              {words.axisTime(cursor.time, to - from)}
            </span>
          )}
        </div>
      </div>
    </figure>
  )
}

type Lines = UsageSeries['lines']

/** The figure that is read, in words. */
function Heading({ series, read, note }: { series: UsageSeries; read: UsagePoint | undefined; note: string | undefined }) {
  const words = useUsageWords()
  const { key, lines } = series
  return (
    <figcaption className="mb-3 flex flex-wrap items-baseline justify-between gap-x-4">
      <span>
        <span className="font-medium">{words.title(key)}</span>
        {note !== undefined && <span className="num ml-2 text-xs text-ink-3">{note}</span>}
      </span>
      <span className="flex flex-wrap gap-x-4 text-xs">
        {lines.map(({ name, figureOf }, index) => (
          <span key={String(name)} className="inline-flex items-center gap-1.5">
            {lines.length > 1 && <span className={`h-0.5 w-3 ${MARKS[index]}`} />}
            {name !== undefined && <span className="text-ink-3">{words.line(name)}</span>}
            <span className="num">{words.value(key, read && figureOf(read))}</span>
          </span>
        ))}
      </span>
    </figcaption>
  )
}

interface PlotProps extends Pick<UsageChartProps, 'points' | 'from' | 'to' | 'gap'> {
  lines: Lines
  limit: number | undefined
  scale: ReturnType<typeof chartScale>
  place: (value: number) => string
}

function Plot({ lines, points, limit, scale, place, from, to, gap }: PlotProps) {
  const values = lines.map(({ figureOf }) => points.map((point) => ({ time: point.time, value: figureOf(point) })))
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${PLOT_WIDTH} ${PLOT_HEIGHT}`}
      preserveAspectRatio="none"
      className="size-full overflow-hidden"
    >
      {scale.ticks.map((tick) => (
        <line
          key={tick}
          x1="0"
          x2={PLOT_WIDTH}
          y1={place(tick)}
          y2={place(tick)}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {values.map((line, index) => {
        const stretches = lineStretches(line, { from, to, gap, scale })
        return (
          <g key={String(lines[index]?.name)}>
            {index === 0 && <path d={areaPath(stretches)} className="fill-run-soft" />}
            <path
              d={strokePath(stretches)}
              fill="none"
              strokeWidth="1.5"
              strokeLinecap="round"
              strokeLinejoin="round"
              vectorEffect="non-scaling-stroke"
              className={STROKES[index] ?? 'stroke-ink'}
            />
          </g>
        )
      })}
      {limit !== undefined && (
        <line
          x1="0"
          x2={PLOT_WIDTH}
          y1={place(limit)}
          y2={place(limit)}
          strokeDasharray="4 3"
          strokeWidth="1.5"
          className="stroke-ink"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  )
}

interface CursorProps {
  lines: Lines
  cursor: UsagePoint
  left: string
  place: (value: number) => string
}

function Cursor({ lines, cursor, left, place }: CursorProps) {
  return (
    <>
      <span className="usage-cursor" style={{ left }} />
      {lines.map(({ name, figureOf }, index) => {
        const value = figureOf(cursor)
        return (
          value !== undefined && (
            <span key={String(name)} className={`usage-dot ${MARKS[index]}`} style={{ left, top: place(value) }} />
          )
        )
      })}
    </>
  )
}
