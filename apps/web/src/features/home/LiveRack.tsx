import type { Rack as RackRead, RackSlot } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sampleTexts } from '../../entities/sample/sampleTexts.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useNow } from '../../platform/browser/useNow.ts'
import { useLatestBlock } from '../../platform/live/latestBlock.ts'
import { Badge } from '../../ui/Badge.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { useIsHydrating } from '../../ui/useIsHydrating.ts'
import { rackQuery } from './homeQueries.ts'
import { homeMessages } from './messages.ts'
import { Rack } from './Rack.tsx'
import { RackDrawing } from './RackDrawing.tsx'
import { MAX_FRONTS, RackFronts } from './RackFronts.tsx'
import { rackGeometry } from './rackGeometry.ts'
import { rackShape } from './rackShape.ts'
import { SAMPLE_RACK } from './sampleRack.ts'
import { SLOT_TONE } from './slotTone.ts'

const STATES = ['idle', 'running', 'offline'] as const

/** The rack with its legend; a labelled sample while the platform is unreachable. */
export function LiveRack() {
  const text = useMessages(homeMessages)
  const pretended = useMessages(sampleTexts)
  const format = useFormat()
  const rack = useQuery(rackQuery)
  const machines = useMemo(() => inPlace(rack.data?.slots ?? (rack.isError ? SAMPLE_RACK : [])), [rack.data, rack.isError])
  const sample = rack.data === undefined && rack.isError
  const counts = STATES.map((state) => machines.filter((slot) => slot.state === state).length) as [number, number, number]
  const samples = machines.filter((slot) => slot.sample).length
  const hidden = rack.data ? Math.max(0, rack.data.total - rack.data.slots.length) : 0

  return (
    <figure className="flex min-w-0 flex-col gap-4">
      {machines.length > 0 && !sample ? (
        machines.length <= MAX_FRONTS ? (
          <RackFronts machines={machines} />
        ) : (
          <Rack machines={machines} summary={text.rack.summary(rack.data?.total ?? machines.length, ...counts)} />
        )
      ) : (
        <div
          role="img"
          aria-label={sample ? text.rack.sampleSummary : rack.isPending ? text.rack.loading : text.rack.empty}
          className="opacity-80"
        >
          <StillRack machines={machines} />
        </div>
      )}
      <figcaption className="flex min-h-10 flex-wrap items-start justify-between gap-x-5 gap-y-1 text-xs text-ink-3 sm:min-h-6">
        <span className="flex flex-wrap gap-x-5 gap-y-1">
          {sample && <Badge tone="warn">{text.sample}</Badge>}
          {STATES.map((state, index) => (
            <StateDot key={state} tone={SLOT_TONE[state]}>
              {text.rack[state]} <span className="num">{rack.isPending ? '–' : format.number(counts[index] ?? 0)}</span>
            </StateDot>
          ))}
          {samples > 0 && (
            <span title={pretended.long} className="inline-flex items-center gap-2">
              <span aria-hidden className="h-2.5 w-4 rounded-xs border border-dashed border-edge" />
              {pretended.short} <span className="num">{format.number(samples)}</span>
            </span>
          )}
          {hidden > 0 && <span>{text.rack.more(hidden)}</span>}
        </span>
        {rack.data && <BlockLine read={rack.data} />}
      </figcaption>
    </figure>
  )
}

function StillRack({ machines }: { machines: readonly RackSlot[] }) {
  const { cabinets, slots } = rackShape(machines.length || 1)
  const geometry = useMemo(() => rackGeometry({ cabinets, slots }), [cabinets, slots])
  return <RackDrawing machines={machines} places={cabinets * slots} geometry={geometry} />
}

function BlockLine({ read }: { read: Pick<RackRead, 'block' | 'blockTime'> }) {
  const text = useMessages(homeMessages).rack
  const format = useFormat()
  const now = useNow()
  const latest = useLatestBlock()
  const block = latest && latest.number > read.block ? latest : { number: read.block, time: read.blockTime }
  const number = format.number(block.number)
  // Without the app, relative times could not keep ticking.
  const isHydrating = useIsHydrating()
  return (
    <span className="num sm:w-52">
      {isHydrating ? text.blockOnly(number) : text.block(number, format.ago(Math.min(now, block.time), now))}
    </span>
  )
}

/** A machine keeps its slot whatever its state: only its lamp changes. */
function inPlace(slots: readonly RackSlot[]): readonly RackSlot[] {
  return [...slots].sort((a, b) => (a.provider === b.provider ? a.nodeId - b.nodeId : a.provider < b.provider ? -1 : 1))
}
