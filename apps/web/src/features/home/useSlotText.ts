import type { RackSlot } from '@rackfair/sdk/http'
import { sampleTexts } from '../../entities/sample/sampleTexts.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { homeMessages } from './messages.ts'

/** What the rack says about one machine. */
export function useSlotText() {
  const text = useMessages(homeMessages).rack
  const sample = useMessages(sampleTexts)
  const format = useFormat()
  const machine = (slot: RackSlot) =>
    [
      ...(slot.gpu.count > 0 ? [`${format.number(slot.gpu.count)} × ${slot.gpu.model}`] : []),
      text.cpus(format.number(slot.cpu.count)),
      text.memory(format.number(slot.memoryGb)),
    ].join(' · ')
  return {
    machine,
    label: (slot: RackSlot) =>
      `${text.slot(slot.name, text[slot.state], machine(slot), format.usd(slot.ratePerMonthWei))}${slot.sample ? `, ${sample.short}` : ''}`,
  }
}
