import type { UsagePoint } from '@rackfair/sdk/workspace'
import { saveFile } from '../../../platform/browser/saveFile.ts'
import type { UsageSeries } from './usageSeries.ts'

/** The points that are shown as a table for other programs. */
export function downloadUsage(orderId: string, series: readonly UsageSeries[], points: readonly UsagePoint[]): void {
  const columns = series.flatMap(({ key, lines }) =>
    lines.map(({ name, figureOf }) => ({ title: name === undefined ? key : `${key} ${name}`, figureOf })),
  )
  const rows = [
    ['time', ...columns.map(({ title }) => title)],
    ...points.map((point) => [
      new Date(point.time * 1000).toISOString(),
      ...columns.map(({ figureOf }) => figureOf(point)?.toFixed(3) ?? ''),
    ]),
  ]
  const csv = `${rows.map((row) => row.join(',')).join('\n')}\n`
  saveFile(`order-${orderId}-usage.csv`, new Blob([csv], { type: 'text/csv' }))
}
