import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import type { ShownLine } from './LogLines.ts'
import { logMessages } from './messages.ts'
import { cutRows, placeOfRow, type Rows, rowOfPlace } from './rows.ts'

export const ROW_PX = 20
/** Rows drawn above and below what is seen. */
const SPARE_ROWS = 20
/** A place this near to the end counts as the end. */
const END_PX = 30

export interface LogRowsProps {
  rows: Rows
  /** Columns at which lines are wrapped; undefined where they are not. */
  columns: number | undefined
  stamps: boolean
  /** Whose lines they are, where they are of several. */
  services: readonly string[] | undefined
  query: string
  /** The line that the search stands at. */
  current: number | undefined
  /** Stays at the end as lines come. */
  following: boolean
  /** A row to bring into view, once each time it changes. */
  target: { row: number } | undefined
  onFollowing: (following: boolean) => void
  /** How many characters stand in a row. */
  onColumns: (columns: number) => void
}

/** The lines of a log as rows of one height, of which only those in view are drawn. */
export function LogRows(props: LogRowsProps) {
  const { rows, columns, stamps, services, query, current, following, target, onFollowing, onColumns } = props
  const text = useMessages(logMessages)
  const box = useRef<HTMLDivElement>(null)
  const [view, setView] = useState({ top: 0, height: 600 })

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const measure = () => {
      setView({ top: element.scrollTop, height: element.clientHeight })
      onColumns(columnsOf(element))
    }
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    measure()
    return () => observer.disconnect()
  }, [onColumns])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end moves with the number of rows
  useLayoutEffect(() => {
    const element = box.current
    if (element && following) element.scrollTop = element.scrollHeight
  }, [following, rows.count])
  useLayoutEffect(() => {
    const element = box.current
    if (element && target) element.scrollTop = Math.max(0, target.row * ROW_PX - element.clientHeight / 2)
  }, [target])

  const onScroll = (element: HTMLDivElement) => {
    setView({ top: element.scrollTop, height: element.clientHeight })
    const isAtEnd = element.scrollHeight - element.scrollTop - element.clientHeight < END_PX
    if (following && !isAtEnd && element.scrollTop < view.top) onFollowing(false)
  }
  const first = Math.max(0, Math.floor(view.top / ROW_PX) - SPARE_ROWS)
  const last = Math.min(rows.count, Math.ceil((view.top + view.height) / ROW_PX) + SPARE_ROWS)
  const drawn: ReactNode[] = []
  for (let place = placeOfRow(rows, first); rows.count > 0; place += 1) {
    const line = rows.lineAt(place)
    const row = rowOfPlace(rows, place)
    if (!line || row >= last) break
    drawn.push(
      <Line
        key={line.id}
        line={line}
        top={row * ROW_PX}
        stamps={stamps}
        services={services}
        query={query}
        isCurrent={line.id === current}
        columns={columns}
      />,
    )
  }
  return (
    <div
      ref={box}
      role="log"
      aria-live="off"
      aria-label={text.log}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
      tabIndex={0}
      className="log-rows"
      onScroll={(event) => onScroll(event.currentTarget)}
    >
      <div className="relative min-w-full" style={{ height: rows.count * ROW_PX }}>
        {drawn}
      </div>
    </div>
  )
}

interface LineProps {
  line: ShownLine
  top: number
  stamps: boolean
  services: readonly string[] | undefined
  query: string
  isCurrent: boolean
  columns: number | undefined
}

function Line({ line, top, stamps, services, query, isCurrent, columns }: LineProps) {
  const text = useMessages(logMessages)
  const format = useFormat()
  const { level, source, gap, cut } = line
  const pieces = columns === undefined ? [line.text] : cutRows(line.text, columns)
  const word = source === 'agent' ? text.agent : text.level[level]
  return (
    <div className="log-line" data-level={level} data-current={isCurrent || undefined} style={{ top }}>
      {stamps && <span className="log-time">{format.clockMs(line.time)}</span>}
      {services && (
        <span className="log-service" data-main={line.service === services[0] || undefined}>
          {line.service ?? text.agent}
        </span>
      )}
      <span className="log-level" title={gap ? text.gap : undefined}>
        {gap ? `⋯ ${word}` : word}
      </span>
      <span className="log-text">
        {pieces.map((piece, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a line have their places
          <span key={row} className="block">
            <Marked text={piece} query={query} />
          </span>
        ))}
      </span>
      {cut && <span className="sr-only">{text.cut}</span>}
    </div>
  )
}

/** A text with what is looked for marked in it. */
function Marked({ text, query }: { text: string; query: string }) {
  if (query === '') return text === '' ? ' ' : text
  const parts: ReactNode[] = []
  const lower = text.toLowerCase()
  const wanted = query.toLowerCase()
  let from = 0
  // Where capitals change the length of a text its places are not known.
  for (let at = lower.length === text.length ? lower.indexOf(wanted) : -1; at >= 0; at = lower.indexOf(wanted, from)) {
    parts.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + wanted.length)}</mark>)
    from = at + wanted.length
  }
  return [...parts, text.slice(from)]
}

/** How many characters of the log's font fit beside time and level. */
function columnsOf(box: HTMLElement): number {
  const probe = document.createElement('span')
  probe.textContent = '0'.repeat(100)
  probe.style.cssText = 'position:absolute;visibility:hidden;white-space:pre'
  box.append(probe)
  const width = probe.getBoundingClientRect().width / 100
  probe.remove()
  const taken = box.querySelector('.log-text')?.getBoundingClientRect().left ?? box.getBoundingClientRect().left
  const room = box.getBoundingClientRect().right - taken - END_SPACE_PX
  return Math.max(20, Math.floor(room / (width || 7)))
}

const END_SPACE_PX = 24
