import type { RackSlot } from '@rackfair/sdk/http'
import { medianDifference } from '../../entities/node/medianDifference.ts'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Money } from '../../ui/Money.tsx'
import { homeMessages } from './messages.ts'
import type { Box } from './rackGeometry.ts'
import { RACK_HEIGHT, RACK_WIDTH } from './rackGeometry.ts'
import { SLOT_TONE } from './slotTone.ts'
import { useSlotText } from './useSlotText.ts'

/** Names the machine under the pointer or the focus; stands beside its slot, inside the drawing. */
export function RackCard({ slot, box }: { slot: RackSlot; box: Box }) {
  const text = useMessages(homeMessages).rack
  const format = useFormat()
  const { machine } = useSlotText()
  const x = (box.x + box.width / 2) / RACK_WIDTH
  const y = (box.y + box.height) / RACK_HEIGHT
  const difference = medianDifference(slot.unitRateWei, slot.medianUnitRateWei)
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute z-10 w-60 rounded-lg border border-line-2 bg-raised px-3.5 py-3 shadow-pop"
      style={{
        left: `${x * 100}%`,
        top: `${(y > 0.7 ? box.y / RACK_HEIGHT : y) * 100}%`,
        translate: `${-x * 100}% ${y > 0.7 ? '-108%' : '8%'}`,
      }}
    >
      <div className="flex items-center justify-between gap-2">
        <span className="min-w-0 truncate font-semibold">{slot.name}</span>
        <SampleMark of={slot} />
        <Badge tone={SLOT_TONE[slot.state]} dot>
          {text[slot.state]}
        </Badge>
      </div>
      <p className="num mt-1.5 text-xs text-ink-2">{machine(slot)}</p>
      <p className="mt-2 flex items-baseline justify-between gap-2">
        <span className="text-base">
          <Money wei={slot.ratePerMonthWei} per={text.perMonth} />
        </span>
        {difference !== undefined && (
          <span className={`num text-xs ${difference < 0 ? 'text-idle' : 'text-ink-3'}`}>
            {difference === 0
              ? text.atMedian
              : difference < 0
                ? text.underMedian(format.percent(-difference))
                : text.overMedian(format.percent(difference))}
          </span>
        )}
      </p>
    </div>
  )
}
