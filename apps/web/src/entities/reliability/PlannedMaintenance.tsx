import type { ReliabilityRecord } from '@rackfair/sdk/http'
import { Wrench } from 'lucide-react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useIsHydrating } from '../../ui/useIsHydrating.ts'
import { reliabilityTexts } from './reliabilityTexts.ts'

const MAX_LINES = 6

interface PlannedMaintenanceProps {
  planned: ReliabilityRecord['maintenance']
  nameOf?: ((nodeId: number) => string) | undefined
}

/** When machines may be down without a penalty, as their provider announced. Nothing where nothing is planned. */
export function PlannedMaintenance({ planned, nameOf }: PlannedMaintenanceProps) {
  const text = useMessages(reliabilityTexts)
  const format = useFormat()
  const isHydrating = useIsHydrating()
  // Its times are those of this browser's zone.
  if (planned.length === 0 || isHydrating) return null
  return (
    <>
      <h3 className="mt-4 text-sm">{text.planned}</h3>
      <ul className="mt-1 divide-y divide-line">
        {planned.slice(0, MAX_LINES).map(({ nodeId, from, until }) => (
          <li key={`${nodeId}-${from}-${until}`} className="flex gap-3 py-2.5">
            <Wrench aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
            <p className="flex min-w-0 grow flex-wrap justify-between gap-x-3">
              <span className="font-medium">
                {nameOf ? text.plannedOf(nameOf(nodeId), format.duration(until - from)) : format.duration(until - from)}
              </span>
              <span className="num text-xs text-ink-3">{format.dateTime(from)}</span>
            </p>
          </li>
        ))}
      </ul>
      {planned.length > MAX_LINES && <p className="pt-2 text-xs text-ink-3">{text.more(planned.length - MAX_LINES)}</p>}
      <p className="mt-1 text-xs text-ink-3">{text.plannedHint}</p>
    </>
  )
}
