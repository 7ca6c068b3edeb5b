import type { NodeReliability } from '@rackfair/rules/node/node'
import { useMessages } from '../../i18n/useMessages.ts'
import { reliabilityTexts } from './reliabilityTexts.ts'
import { type CellKind, stripCells, stripWidth } from './stripCells.ts'

const FILL: Record<CellKind, string> = { up: 'fill-idle', short: 'fill-warn', long: 'fill-bad', unseen: 'fill-line-2' }

/** The last 90 days, a cell each, in weeks: downtime cuts a cell from above, a low line was not observed. */
export function ReliabilityStrip({ strip, small = false }: { strip: NodeReliability['strip']; small?: boolean }) {
  const text = useMessages(reliabilityTexts)
  const height = small ? 12 : 24
  const days = [...strip]
  const daysText = (count: number) => text.days(String(count), count === 1)
  const seen = daysText(days.filter((day) => day !== '-').length)
  const down = daysText(days.filter((day) => day !== '-' && day !== '0').length)
  return (
    <svg
      role="img"
      aria-label={text.strip(seen, down)}
      viewBox={`0 0 ${stripWidth(small)} ${height}`}
      preserveAspectRatio="none"
      className={small ? 'h-3 w-20 shrink-0' : 'h-6 w-full'}
    >
      {Object.entries(stripCells(strip, height, small)).map(([kind, path]) => (
        <path key={kind} d={path} className={FILL[kind as CellKind]} />
      ))}
    </svg>
  )
}
