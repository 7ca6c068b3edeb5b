import { encodeList } from '@rackfair/rules/text/queryList'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Money } from '../../ui/Money.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { homeMessages } from './messages.ts'
import type { PriceRow } from './priceRows.ts'

const LOADING_ROWS = 4

export interface PriceTableProps {
  kind: 'gpu' | 'cpu'
  /** Undefined while loading. */
  rows: readonly PriceRow[] | undefined
}

/** One line per model at every width: phones show model, median and list price. */
export function PriceTable({ kind, rows }: PriceTableProps) {
  const text = useMessages(homeMessages).prices
  const format = useFormat()
  const head = 'h-9 pl-3 text-right text-xs font-medium text-ink-3'
  const cell = 'num pl-3 text-right'
  return (
    <table className="w-full border-collapse" aria-busy={rows === undefined || undefined}>
      <caption className="sr-only">{text.caption}</caption>
      <thead>
        <tr className="border-b border-line">
          <th scope="col" className="h-9 text-left text-xs font-medium text-ink-3">
            {text.model}
          </th>
          <th scope="col" className={`${head} max-sm:hidden`}>
            {text.machines}
          </th>
          <th scope="col" className={`${head} max-md:hidden`}>
            {text.from}
          </th>
          <th scope="col" className={head}>
            {text.median}
          </th>
          <th scope="col" className={head}>
            {text.list}
          </th>
          <th scope="col" className={`${head} max-md:hidden`}>
            {text.idle}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows === undefined
          ? Array.from({ length: LOADING_ROWS }, (_, index) => `loading-${index}`).map((key) => (
              <tr key={key} className="h-13 border-b border-line">
                <td colSpan={6}>
                  <span className="block h-5 animate-pulse rounded-sm bg-slot" />
                </td>
              </tr>
            ))
          : rows.map((row) => (
              <tr key={row.model} className="h-13 border-b border-line">
                <td>
                  <TextLink to={`/nodelist?${new URLSearchParams({ [kind]: encodeList([row.model]) })}`} strong>
                    {row.model}
                  </TextLink>
                </td>
                <td className={`${cell} max-sm:hidden`}>{format.number(row.machines)}</td>
                <td className={`${cell} max-md:hidden`}>
                  <Money wei={row.fromWei} />
                </td>
                <td className={cell}>
                  <Money wei={row.medianWei} />
                </td>
                <td className={`${cell} text-ink-3`}>{row.listWei === undefined ? '–' : <Money wei={row.listWei} />}</td>
                <td className={`${cell} max-md:hidden`}>
                  {row.cheapestIdleWei !== undefined ? (
                    <Money wei={row.cheapestIdleWei} />
                  ) : (
                    <span className="font-sans text-xs text-ink-3">{text.noneIdle}</span>
                  )}
                </td>
              </tr>
            ))}
      </tbody>
    </table>
  )
}
