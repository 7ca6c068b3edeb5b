import { useState } from 'react'

interface DayBarsProps {
  /** Start of each day in Unix seconds, oldest first; the last is not over yet. */
  days: readonly number[]
  values: readonly number[]
  /** Says what is drawn. */
  label: string
  formatValue: (value: number) => string
  formatDay: (seconds: number) => string
  /** Of the last day. */
  today: string
}

/** A bar a day, the last one paler. Hover or the arrow keys read the value of one day. */
export function DayBars({ days, values, label, formatValue, formatDay, today }: DayBarsProps) {
  const [at, setAt] = useState<number>()
  const last = days.length - 1
  const shown = Math.min(at ?? last, last)
  const top = Math.max(1, ...values)
  const nameOf = (index: number) => (index === last ? today : formatDay(days[index] ?? 0))
  const said = `${nameOf(shown)}: ${formatValue(values[shown] ?? 0)}`
  return (
    <figure>
      <figcaption className="num mb-2 flex justify-between text-xs text-ink-3">
        <span>{formatValue(top)}</span>
        <span>{said}</span>
      </figcaption>
      <div
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={shown}
        aria-valuetext={said}
        className="flex h-28 items-end gap-px border-b border-line-2"
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          setAt(Math.max(0, Math.min(last, Math.floor(((event.clientX - box.left) / box.width) * days.length))))
        }}
        onPointerLeave={() => setAt(undefined)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowLeft') setAt(Math.max(0, shown - 1))
          else if (event.key === 'ArrowRight') setAt(Math.min(last, shown + 1))
          else return
          event.preventDefault()
        }}
      >
        {days.map((day, index) => (
          <span
            key={day}
            aria-hidden
            className={`min-w-0 flex-1 rounded-t-xs bg-run ${index === last ? 'opacity-50' : ''} ${index === at ? 'bg-ink' : ''}`}
            style={{ height: `${((values[index] ?? 0) / top) * 100}%` }}
          />
        ))}
      </div>
      <div className="num mt-1.5 flex justify-between text-xs text-ink-3">
        <span>{formatDay(days[0] ?? 0)}</span>
        <span>{today}</span>
      </div>
    </figure>
  )
}
