import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Choice } from '../../ui/Choice.tsx'
import { CostToday } from './CostToday.tsx'
import { HomeSection } from './HomeSection.tsx'
import { machinesQuery, pricesQuery } from './homeQueries.ts'
import { homeMessages } from './messages.ts'
import { PriceTable } from './PriceTable.tsx'
import { priceRows } from './priceRows.ts'

/**
 * What common models cost on this network, beside the list price a provider starts from. A market without any GPU shows what it has, not a
 * table of what it lacks.
 */
export function Prices() {
  const text = useMessages(homeMessages).prices
  const [kind, setKind] = useState<'gpu' | 'cpu'>('gpu')
  const prices = useQuery(pricesQuery)
  const isWithoutGpus = prices.data?.models.every((price) => price.kind !== 'gpu' || price.nodes === 0) ?? false
  const machines = useQuery({ ...machinesQuery, enabled: isWithoutGpus })
  const [today] = machines.data?.items ?? []
  if (isWithoutGpus && today)
    return (
      <HomeSection title={text.title}>
        <CostToday node={today} />
      </HomeSection>
    )
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
      <PriceTable kind={kind} rows={prices.isPending ? undefined : priceRows(kind, prices.data)} />
      <p className="text-xs text-ink-3">{prices.isError ? text.failed : text.note}</p>
    </HomeSection>
  )
}
