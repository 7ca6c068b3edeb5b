import type { RackSlot } from '@rackfair/sdk/http'
import { Link } from 'wouter'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Money } from '../../ui/Money.tsx'
import { StateShape } from '../../ui/StateDot.tsx'
import { TextLink } from '../../ui/TextLink.tsx'
import { CELLS_HEIGHT, CELLS_WIDTH, cellPath } from './cellPath.ts'
import { homeMessages } from './messages.ts'
import { SLOT_TONE } from './slotTone.ts'
import { useSlotText } from './useSlotText.ts'

/** As many machines are drawn as fronts; more stand in slots. */
export const MAX_FRONTS = 3

const CELLS: Record<RackSlot['state'], string> = {
  idle: 'fill-idle-soft stroke-idle',
  running: 'fill-run-soft stroke-run',
  offline: 'fill-off-soft stroke-line-2',
}

/** The rack of a young market: each machine as its front, with what is in it, and a bay that waits for the next one. */
export function RackFronts({ machines }: { machines: readonly RackSlot[] }) {
  const text = useMessages(homeMessages).rack
  return (
    <div className="rack-frame flex flex-col gap-2.5 rounded-lg border border-line-2 bg-sunk p-2.5">
      <ul aria-label={text.fronts} className="flex grow flex-col gap-2.5">
        {machines.map((slot) => (
          <li key={`${slot.provider}/${slot.nodeId}`} className="flex min-h-28 grow flex-col">
            <Front slot={slot} />
          </li>
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-md border border-dashed border-edge px-4 py-2.5">
        <div>
          <p className="font-semibold">{text.bay}</p>
          <p className="text-xs text-ink-2">{text.bayText}</p>
        </div>
        <TextLink to="/addprovider" strong>
          {text.bayLink}
        </TextLink>
      </div>
    </div>
  )
}

function Front({ slot }: { slot: RackSlot }) {
  const text = useMessages(homeMessages).rack
  const format = useFormat()
  const { label } = useSlotText()
  const parts = [
    slot.gpu.count > 0
      ? { key: 'gpu', count: slot.gpu.count, rows: 1, words: `${format.number(slot.gpu.count)} × ${slot.gpu.model}` }
      : { key: 'cpu', count: slot.cpu.count, rows: 1, words: text.cpus(format.number(slot.cpu.count)) },
    { key: 'memory', count: slot.memoryGb, rows: 1, words: text.memoryOf(format.gigabytes(slot.memoryGb)) },
    { key: 'disk', count: slot.diskGb, rows: 3, words: text.diskOf(format.gigabytes(slot.diskGb)) },
  ]
  return (
    <Link
      to={`/nodelist?${new URLSearchParams({ text: slot.name })}`}
      aria-label={label(slot)}
      className="flex grow flex-col justify-between gap-2 rounded-md border border-line bg-raised px-4 py-3 hover:border-edge"
    >
      <span className="flex items-baseline justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2">
          <StateShape tone={SLOT_TONE[slot.state]} />
          <span className="truncate font-semibold">{slot.name}</span>
          <SampleMark of={slot} />
          <span className="text-xs text-ink-2">{text[slot.state]}</span>
        </span>
        <Money wei={slot.ratePerMonthWei} per={text.perMonth} />
      </span>
      <span className="grid grid-cols-3 gap-4">
        {parts.map(({ key, count, rows, words }) => (
          <span key={key} className="flex min-w-0 flex-col gap-1">
            <svg
              aria-hidden="true"
              viewBox={`-1 -1 ${CELLS_WIDTH + 2} ${CELLS_HEIGHT + 2}`}
              preserveAspectRatio="xMinYMid"
              strokeWidth="1"
              className={`h-10 w-full transition-colors ${CELLS[slot.state]}`}
            >
              <path d={cellPath(count, rows)} className="transition-colors" />
            </svg>
            <span className="num truncate text-xs text-ink-2">{words}</span>
          </span>
        ))}
      </span>
    </Link>
  )
}
