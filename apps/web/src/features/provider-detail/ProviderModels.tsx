import type { Provider } from '@rackfair/rules/provider/provider'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Card } from '../../ui/Card.tsx'
import { Table } from '../../ui/Table.tsx'
import { providerDetailMessages } from './messages.ts'
import { modelRows } from './modelRows.ts'

/** CPU and GPU models with what each unit costs. */
export function ProviderModels({ provider }: { provider: Provider }) {
  const text = useMessages(providerDetailMessages)
  const format = useFormat()
  const rows = modelRows(provider.nodes)
  return (
    <Card title={text.models}>
      {rows.length === 0 ? (
        <p className="text-ink-3">{text.noModels}</p>
      ) : (
        <Table
          caption={text.modelsCaption}
          rows={rows}
          rowKey={(row) => `${row.kind}/${row.model}`}
          columns={[
            { key: 'model', title: text.model, head: true, cell: (row) => <span className="font-semibold">{row.model}</span> },
            { key: 'kind', title: text.kind, cell: (row) => text[row.kind] },
            { key: 'units', title: text.units, numeric: true, cell: (row) => format.number(row.units) },
            {
              key: 'price',
              title: text.price,
              numeric: true,
              cell: (row) =>
                row.lowWei === row.highWei
                  ? format.usd(row.lowWei)
                  : text.priceRange(format.usd(row.lowWei), format.usd(row.highWei)),
            },
          ]}
        />
      )}
    </Card>
  )
}
