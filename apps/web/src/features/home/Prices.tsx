import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMessages } from '../../i18n/useMessages.ts'
import { Choice } from '../../ui/Choice.tsx'
import { HomeSection } from './HomeSection.tsx'
import { pricesQuery } from './homeQueries.ts'
import { homeMessages } from './messages.ts'
import { PriceTable } from './PriceTable.tsx'
import { priceRows } from './priceRows.ts'

/** What common models cost on this network, beside the list price a provider starts from. */
export function Prices() {
  const text = useMessages(homeMessages).prices
  const [kind, setKind] = useState<'gpu' | 'cpu'>('gpu')
  const prices = useQuery(pricesQuery)
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
