import { ArrowDown, ArrowUp } from 'lucide-react'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/useMessages.ts'
import { uiMessages } from './messages.ts'

export interface Column<Row> {
  key: string
  title: string
  cell: (row: Row) => ReactNode
  /** Figures stand at the right in the mono face. */
  numeric?: boolean
  /** Head of the card at phone width (usually the name). */
  head?: boolean
  /** Buttons: no title is shown. */
  actions?: boolean
  /** Makes the title a button that sorts. */
  sort?: { state: 'up' | 'down' | undefined; onToggle: () => void }
}

export interface TableProps<Row> {
  /** Says what the table lists; for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  /** Rows of skeletons while the first page is loading. */
  loadingRows?: number
}

/** A table from 768 px on, one card per row below. */
export function Table<Row>({ caption, columns, rows, rowKey, loadingRows }: TableProps<Row>) {
  const text = useMessages(uiMessages)
  return (
    <table className="cards-on-phone w-full border-collapse" aria-busy={loadingRows !== undefined || undefined}>
      <caption className="sr-only">{caption}</caption>
      <thead>
        <tr className="border-b border-line">
          {columns.map((column, place) => (
            <th
              key={column.key}
              scope="col"
              aria-sort={column.sort?.state === 'up' ? 'ascending' : column.sort?.state === 'down' ? 'descending' : undefined}
              className={`h-9 text-xs font-medium whitespace-nowrap text-ink-3 ${isClose(columns, place) ? 'pr-6' : 'pr-3 last:pr-0'} ${column.numeric || column.actions ? 'text-right' : 'text-left'}`}
            >
              {column.sort ? (
                <button type="button" onClick={column.sort.onToggle} className="inline-flex items-center gap-1 hover:text-ink">
                  {column.title}
                  {column.sort.state === 'up' && <ArrowUp aria-label={text.sortedUp} className="size-3" />}
                  {column.sort.state === 'down' && <ArrowDown aria-label={text.sortedDown} className="size-3" />}
                </button>
              ) : (
                <span className={column.actions ? 'sr-only' : ''}>{column.title}</span>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {loadingRows === undefined
          ? rows.map((row) => (
              <tr key={rowKey(row)} className="border-b border-line md:h-13">
                {columns.map((column, place) => (
                  <td
                    key={column.key}
                    data-label={column.actions || column.head ? '' : column.title}
                    data-head={column.head || undefined}
                    data-wide={column.actions || undefined}
                    className={`py-1.5 ${isClose(columns, place) ? 'md:pr-6 print:pr-3' : 'last:pr-0 md:pr-3 print:pr-3 print:last:pr-0'} ${column.numeric ? 'num' : ''} ${column.numeric || column.actions ? 'md:text-right print:text-right' : ''}`}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))
          : Array.from({ length: loadingRows }, (_, index) => `loading-${index}`).map((key) => (
              <tr key={key} className="h-13 border-b border-line">
                <td colSpan={columns.length}>
                  <span className="block h-5 w-full animate-pulse rounded-sm bg-slot" />
                </td>
              </tr>
            ))}
      </tbody>
    </table>
  )
}

/** Right-aligned figures before left-aligned text need more room between them. */
function isClose(columns: readonly { numeric?: boolean; actions?: boolean }[], place: number): boolean {
  const next = columns[place + 1]
  return columns[place]?.numeric === true && next !== undefined && !next.numeric && !next.actions
}
