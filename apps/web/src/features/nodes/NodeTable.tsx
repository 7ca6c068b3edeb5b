import { ArrowDown, ArrowUp } from 'lucide-react'
import { useRef } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { SPACING_PX } from '../../styles/tokens.ts'
import { Named } from '../../ui/Named.tsx'
import { nodeMessages } from './messages.ts'
import { NodeRow } from './NodeRow.tsx'
import { type NodeFilter, toggleSort } from './nodeFilter.ts'
import type { NodeRowProps } from './nodeRowProps.ts'
import { UNIT_SORT } from './priceUnit.ts'
import type { NodeSearch } from './useNodeSearch.ts'
import { rowKey, useScrollAnchor } from './useScrollAnchor.ts'
import { useVirtualRows } from './useVirtualRows.ts'

const ROW_PX = 11 * SPACING_PX
const BLOCK_ROWS = 8
const COLUMNS = [
  { key: 'name', sort: 'name', width: 'w-auto', end: false },
  { key: 'region', sort: undefined, width: 'w-12 @max-table-narrow:hidden', end: false },
  { key: 'gpu', sort: 'gpu', width: 'w-32 @table:w-48', end: false },
  { key: 'cpu', sort: 'cpu', width: 'w-24', end: false },
  { key: 'memory', sort: 'memory', width: 'w-18 @table:w-20', end: true },
  { key: 'storage', sort: 'storage', width: 'w-18 @max-table-narrow:hidden', end: true },
  { key: 'reliability', sort: 'reliability', width: 'w-48 @max-page:hidden', end: false },
  { key: 'unit', sort: undefined, width: 'w-24', end: true },
  { key: 'price', sort: 'price', width: 'w-24', end: true },
  { key: 'activate', sort: 'activate', width: 'w-20', end: false },
  { key: 'state', sort: 'state', width: 'w-24', end: false },
] as const

export interface NodeTableProps extends Omit<NodeRowProps, 'row' | 'index'> {
  search: NodeSearch
  sort: NodeFilter['sort']
  onSort: (sort: NodeFilter['sort']) => void
}

/** The machines from 1024 px on. Only the rows near the window exist; a block of others is one empty row of their height. */
export function NodeTable({ search, sort, onSort, ...rest }: NodeTableProps) {
  const { per, compare } = rest
  const text = useMessages(nodeMessages)
  const table = useRef<HTMLTableElement>(null)
  const { blocks, watch } = useVirtualRows(search, BLOCK_ROWS, ROW_PX)
  useScrollAnchor(search, table, ROW_PX)
  return (
    <table
      ref={table}
      aria-rowcount={(search.summary?.total ?? search.rows.length) + 1}
      aria-busy={search.stale || undefined}
      className={`w-full table-fixed border-collapse ${search.stale ? 'opacity-60' : ''}`}
    >
      <caption className="sr-only">{text.caption}</caption>
      <thead>
        <tr aria-rowindex={1} className="border-b border-line">
          {compare && (
            <th scope="col" className="no-print h-9 w-9">
              <span className="sr-only">{text.compare.open}</span>
            </th>
          )}
          {COLUMNS.filter(({ key }) => key !== 'unit' || per !== 'month').map(({ key, width, end, ...column }) => {
            const by = key === 'unit' ? UNIT_SORT[per] : column.sort
            const title =
              key === 'unit' ? (
                text.units[per]
              ) : key === 'activate' ? (
                <Named name={text.columns.activateName}>{text.columns.activate}</Named>
              ) : (
                text.columns[key]
              )
            // The price of the machine an hour and a month are one order: the arrow stands once.
            const sorted = by !== undefined && (key !== 'price' || per !== 'hour')
            const state = !sorted ? undefined : sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined
            const Arrow = state === 'ascending' ? ArrowUp : ArrowDown
            return (
              <th
                key={key}
                scope="col"
                aria-sort={state}
                className={`h-9 truncate pr-3 text-xs font-medium text-ink-3 ${width} ${key === 'price' && per !== 'month' ? '@max-table:hidden' : ''} ${end ? 'text-right' : 'text-left'}`}
              >
                {by === undefined ? (
                  title
                ) : (
                  <button
                    type="button"
                    onClick={() => onSort(toggleSort(sort, by))}
                    className={`inline-flex items-center gap-0.5 hover:text-ink ${state ? 'text-ink' : ''}`}
                  >
                    {title}
                    {state && <Arrow aria-hidden className="size-3" />}
                  </button>
                )}
              </th>
            )
          })}
          <th scope="col" className="no-print h-9 w-44">
            <span className="sr-only">{text.columns.actions}</span>
          </th>
        </tr>
      </thead>
      {blocks.map(({ index, first, rows, height }) => (
        <tbody key={index} ref={watch} data-block={index}>
          {rows?.map((row, place) => <NodeRow key={rowKey(row)} row={row} index={first + place} {...rest} />) ?? (
            <tr aria-hidden style={{ height }} />
          )}
        </tbody>
      ))}
    </table>
  )
}
