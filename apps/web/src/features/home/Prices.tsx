import { useQuery } from '@tanstack/react-query'
import { Fragment, useState } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Choice } from '../../ui/Choice.tsx'
import { Section } from '../../ui/Section.tsx'
import { CostToday } from './CostToday.tsx'
import { machinesQuery, pricesQuery } from './homeQueries.ts'
import { homeMessages } from './messages.ts'
import { PriceTable } from './PriceTable.tsx'
import { listPrices, priceRows } from './priceRows.ts'

/**
 * What common models cost on this network, beside the list price a provider starts from. A market without any GPU shows what it has, not a
 * table of what it lacks.
 */
export function Prices() {
  const text = useMessages(homeMessages).prices
  const format = useFormat()
  const [kind, setKind] = useState<'gpu' | 'cpu'>('gpu')
  const prices = useQuery(pricesQuery)
  const rows = prices.isPending ? undefined : priceRows(kind, prices.data)
  const missing = listPrices(kind, rows ?? [])
  const isWithoutGpus = prices.data?.every((price) => price.kind !== 'gpu' || price.nodes === 0) ?? false
  const machines = useQuery({ ...machinesQuery, enabled: isWithoutGpus })
  const [today] = machines.data?.nodes ?? []
  if (isWithoutGpus && today)
    return (
      <Section large title={text.title}>
        <CostToday node={today} />
      </Section>
    )
  return (
    <Section
      large
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
      {(rows === undefined || rows.length > 0) && <PriceTable kind={kind} rows={rows} />}
      <p className="max-w-3xl text-ink-2">
        {prices.isError ? text.failed : text.notOffered[kind]}
        {missing.map(({ model, listWei }, index) => (
          <Fragment key={model}>
            {' '}
            <span className="whitespace-nowrap">
              {model} <span className="num text-ink-3">{format.usd(listWei, { min: 0 })}</span>
              {index < missing.length - 1 && ' ·'}
            </span>
          </Fragment>
        ))}
      </p>
    </Section>
  )
}
