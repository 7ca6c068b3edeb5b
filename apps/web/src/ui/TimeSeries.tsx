import { useState } from 'react'
import { useFormat } from '../i18n/useFormat.ts'
import { TONE_FILL, TONE_STROKE, type Tone } from './tone.ts'
import { useIsHydrating } from './useIsHydrating.ts'

export interface Series {
  name: string
  tone: Tone | 'ink'
  /** One value per time; null draws a gap. */
  values: readonly (number | null)[]
}

export interface TimeSeriesProps {
  /** Unix seconds, oldest first. */
  times: readonly number[]
  series: readonly Series[]
  /** Says what is drawn. */
  label: string
  formatValue?: (value: number) => string
  /** How a time is written at the axis and in the reading line. */
  formatTime?: (seconds: number) => string
}

const WIDTH = 600
const HEIGHT = 160

/** Lines over time. Hover or the arrow keys read the values of one moment. */
export function TimeSeries({ times, series, label, formatValue, formatTime }: TimeSeriesProps) {
  const format = useFormat()
  const value = formatValue ?? ((figure: number) => format.number(figure, 1))
  // A time is that of the visitor's own zone; until that is known, its place is kept.
  const isHydrating = useIsHydrating()
  const time = isHydrating ? () => '\u00a0' : (formatTime ?? format.stamp)
  const place = isHydrating ? 'invisible' : ''
  const [at, setAt] = useState<number>()
  const highest = Math.max(1, ...series.flatMap((line) => line.values.map((figure) => figure ?? 0)))
  const top = niceTop(highest)
  const x = (index: number) => (times.length < 2 ? 0 : (index / (times.length - 1)) * WIDTH)
  const y = (figure: number) => HEIGHT - (figure / top) * HEIGHT
  const shown = at ?? times.length - 1
  const last = times.length - 1

  return (
    <figure className="flex flex-col gap-3">
      <figcaption className="flex flex-wrap items-center gap-x-5 gap-y-1 text-xs text-ink-3">
        {series.map((line) => (
          <span key={line.name} className="inline-flex items-center gap-1.5">
            <span className={`size-2 rounded-xs ${TONE_FILL[line.tone]}`} />
            {line.name}
            <span className="num text-ink">{line.values[shown] == null ? '–' : value(line.values[shown])}</span>
          </span>
        ))}
        {times[shown] !== undefined && <span className={`num ml-auto ${place}`}>{time(times[shown])}</span>}
      </figcaption>
      <div className="flex gap-2">
        <div className="num flex flex-col justify-between text-right text-xs text-ink-3">
          <span>{value(top)}</span>
          <span>{value(top / 2)}</span>
          <span>{value(0)}</span>
        </div>
        <div
          role="slider"
          tabIndex={0}
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={Math.max(0, last)}
          aria-valuenow={Math.max(0, shown)}
          aria-valuetext={
            times[shown] === undefined
              ? label
              : `${time(times[shown])}: ${series.map((line) => `${line.name} ${line.values[shown] == null ? '–' : value(line.values[shown])}`).join(', ')}`
          }
          className="h-40 w-full"
          onPointerMove={(event) => {
            const box = event.currentTarget.getBoundingClientRect()
            setAt(Math.max(0, Math.min(last, Math.round(((event.clientX - box.left) / box.width) * last))))
          }}
          onPointerLeave={() => setAt(undefined)}
          onKeyDown={(event) => {
            if (event.key === 'ArrowLeft') setAt(Math.max(0, shown - 1))
            else if (event.key === 'ArrowRight') setAt(Math.min(last, shown + 1))
            else return
            event.preventDefault()
          }}
        >
          <Lines series={series} at={at} x={x} y={y} />
        </div>
      </div>
      <div className="num flex justify-between gap-4 pl-8 text-xs whitespace-nowrap text-ink-3">
        <span className={place}>{times[0] === undefined ? '' : time(times[0])}</span>
        <span className={place}>{times[last] === undefined ? '' : time(times[last])}</span>
      </div>
    </figure>
  )
}

interface LinesProps extends Pick<TimeSeriesProps, 'series'> {
  at: number | undefined
  x: (index: number) => number
  y: (figure: number) => number
}

function Lines({ series, at, x, y }: LinesProps) {
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="size-full overflow-visible">
      {[0, 0.5, 1].map((share) => (
        <line
          key={share}
          x1="0"
          x2={WIDTH}
          y1={HEIGHT * share}
          y2={HEIGHT * share}
          className="stroke-line"
          vectorEffect="non-scaling-stroke"
        />
      ))}
      {at !== undefined && (
        <line x1={x(at)} x2={x(at)} y1="0" y2={HEIGHT} className="stroke-line-2" vectorEffect="non-scaling-stroke" />
      )}
      {series.map((line) => (
        <path
          key={line.name}
          d={pathOf(line.values, x, y)}
          fill="none"
          strokeWidth="1.75"
          vectorEffect="non-scaling-stroke"
          className={TONE_STROKE[line.tone]}
        />
      ))}
    </svg>
  )
}

function pathOf(values: readonly (number | null)[], x: (index: number) => number, y: (value: number) => number): string {
  let pen = 'M'
  let path = ''
  values.forEach((value, index) => {
    if (value === null) {
      pen = 'M'
      return
    }
    path += `${pen}${x(index).toFixed(1)} ${y(value).toFixed(1)}`
    pen = 'L'
  })
  return path
}

function niceTop(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest))
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((step) => step * power >= highest) ?? 10) * power
}
