import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Money } from '../../ui/Money.tsx'
import { type Column, Table } from '../../ui/Table.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { HomeSection } from './HomeSection.tsx'
import { pricesQuery } from './homeQueries.ts'
import { homeMessages } from './messages.ts'
import { type PriceRow, priceRows } from './priceRows.ts'

/** What common models cost on this network, beside the list price a provider starts from. */
export function Prices() {
  const text = useMessages(homeMessages).prices
  const format = useFormat()
  const [kind, setKind] = useState<'gpu' | 'cpu'>('gpu')
  const prices = useQuery(pricesQuery)
  const nothing = <span className="font-sans text-ink-3">{text.notOffered}</span>
  const columns: readonly Column<PriceRow>[] = [
    {
      key: 'model',
      title: text.model,
      head: true,
      cell: (row) =>
        row.machines === 0 ? (
          <span className="text-ink-2">{row.model}</span>
        ) : (
          <TextLink to={`/nodelist?${new URLSearchParams({ [kind]: row.model })}`} strong>
            {row.model}
          </TextLink>
        ),
    },
    {
      key: 'machines',
      title: text.machines,
      numeric: true,
      cell: (row) => (row.machines === 0 ? nothing : format.number(row.machines)),
    },
    {
      key: 'from',
      title: text.from,
      numeric: true,
      cell: (row) => (row.fromWei === undefined ? <None /> : <Money wei={row.fromWei} />),
    },
    {
      key: 'median',
      title: text.median,
      numeric: true,
      cell: (row) => (row.medianWei === undefined ? <None /> : <Money wei={row.medianWei} />),
    },
    {
      key: 'list',
      title: text.list,
      numeric: true,
      cell: (row) =>
        row.listWei === undefined ? (
          <None />
        ) : (
          <span className="text-ink-3">
            <Money wei={row.listWei} />
          </span>
        ),
    },
    {
      key: 'idle',
      title: text.idle,
      numeric: true,
      cell: (row) =>
        row.cheapestIdleWei !== undefined ? (
          <Money wei={row.cheapestIdleWei} />
        ) : row.machines > 0 ? (
          <span className="font-sans text-ink-3">{text.noneIdle}</span>
        ) : (
          <None />
        ),
    },
  ]
  return (
    <HomeSection
      title={text.title}
      aside={
        <Choice
          label={text.kind}
          value={kind}
          onChange={setKind}
          options={[
            { value: 'gpu', label: text.gpu },
            { value: 'cpu', label: text.cpu },
          ]}
        />
      }
    >
      <Table
        caption={text.caption}
        columns={columns}
        rows={priceRows(kind, prices.data)}
        rowKey={(row) => row.model}
        {...(prices.isPending ? { loadingRows: 8 } : {})}
      />
      <p className="text-xs text-ink-3">{prices.isError ? text.failed : text.note}</p>
    </HomeSection>
  )
}

const None = () => <span className="text-ink-3">–</span>
