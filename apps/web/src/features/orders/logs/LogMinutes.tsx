import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import type { Counts, LogLines } from './LogLines.ts'
import { logMessages } from './messages.ts'

const MINUTES = 60
const NONE: Counts = { info: 0, warn: 0, fail: 0 }

/** Lines of each minute of the log's last hour, with the grave ones on top. A click or the arrow keys go to a minute. */
export function LogMinutes({ log, onMinute }: { log: LogLines; onMinute: (minute: number) => void }) {
  const text = useMessages(logMessages)
  const format = useFormat()
  const [at, setAt] = useState(MINUTES - 1)
  const newest = Math.floor((log.lines.at(-1)?.time ?? Date.now()) / 60_000)
  const first = newest - MINUTES + 1
  const bars = Array.from({ length: MINUTES }, (_, index) => {
    const counts = log.minutes.get(first + index) ?? NONE
    return { minute: first + index, counts, sum: counts.info + counts.warn + counts.fail }
  })
  const most = Math.max(1, ...bars.map(({ sum }) => sum))
  const clock = (index: number) => format.clock((first + index) * 60).slice(0, 5)
  const go = (index: number) => {
    const next = Math.max(0, Math.min(MINUTES - 1, index))
    setAt(next)
    onMinute(first + next)
  }
  return (
    <div className="border-b border-line px-edge pt-2.5 pb-2 max-sm:hidden">
      <div
        role="slider"
        tabIndex={0}
        aria-label={text.perMinute}
        aria-valuemin={0}
        aria-valuemax={MINUTES - 1}
        aria-valuenow={at}
        aria-valuetext={text.inMinute(clock(at), bars[at]?.sum ?? 0, bars[at]?.counts.fail ?? 0)}
        className="flex h-9 cursor-pointer items-end gap-0.5"
        onClick={(event) => {
          const box = event.currentTarget.getBoundingClientRect()
          go(Math.floor(((event.clientX - box.left) / box.width) * MINUTES))
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowLeft') go(at - 1)
          else if (event.key === 'ArrowRight') go(at + 1)
          else return
          event.preventDefault()
        }}
      >
        {bars.map(({ minute, counts, sum }) => (
          <Bar key={minute} counts={counts} sum={sum} most={most} title={clock(minute - first)} />
        ))}
      </div>
      <div className="num mt-1 flex justify-between text-xs text-ink-3">
        {[0, 15, 30, 45, 59].map((index) => (
          <span key={index}>{clock(index)}</span>
        ))}
      </div>
    </div>
  )
}

function Bar({ counts, sum, most, title }: { counts: Counts; sum: number; most: number; title: string }) {
  return (
    <span
      title={`${title} · ${sum}`}
      className="flex min-w-0 flex-1 flex-col overflow-hidden bg-line-2"
      style={{ height: sum === 0 ? 1 : `${Math.max(8, (sum / most) * 100)}%` }}
    >
      {counts.fail > 0 && <span className="h-1.5 shrink-0 bg-bad" />}
      {counts.warn > 0 && <span className="h-1 shrink-0 bg-warn" />}
    </span>
  )
}
