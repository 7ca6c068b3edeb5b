import type { UsagePoint } from '@rackfair/sdk/workspace'
import { useState } from 'react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { LoadMore } from '../../../ui/LoadMore.tsx'
import { Table } from '../../../ui/Table.tsx'
import { usageMessages } from './messages.ts'
import type { UsageSeries } from './usageSeries.ts'
import { useUsageWords } from './useUsageWords.ts'

const PAGE_ROWS = 20

/** The same figures as the charts, in words, newest first. */
export function UsageTable({ series, points }: { series: readonly UsageSeries[]; points: readonly UsagePoint[] }) {
  const text = useMessages(usageMessages)
  const format = useFormat()
  const words = useUsageWords()
  const [rows, setRows] = useState(PAGE_ROWS)
  const newest = points.toReversed()
  return (
    <div className="overflow-x-auto px-edge py-3">
      <Table
        caption={text.tableCaption}
        rows={newest.slice(0, rows)}
        rowKey={({ time }) => String(time)}
        columns={[
          { key: 'time', title: text.time, head: true, cell: ({ time }) => <span className="num">{format.stamp(time)}</span> },
          ...series.map(({ key, lines }) => ({
            key,
            title: words.title(key),
            numeric: true,
            cell: (point: UsagePoint) =>
              lines
                .map(({ name, figureOf }) => {
                  const value = words.value(key, figureOf(point))
                  return name === undefined ? value : `${words.line(name)} ${value}`
                })
                .join(', '),
          })),
        ]}
      />
      {rows < newest.length && (
        <div className="pt-3">
          <LoadMore onLoad={() => setRows(rows + PAGE_ROWS)} pending={false} />
        </div>
      )}
    </div>
  )
}
