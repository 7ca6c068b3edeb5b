import type { RackSlot } from '@rackfair/core/wire'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { sampleTexts } from '../../lib/sample/sampleTexts.ts'
import { homeMessages } from './messages.ts'

/** What the rack says about one machine. */
export function useSlotText() {
  const text = useMessages(homeMessages).rack
  const sample = useMessages(sampleTexts)
  const format = useFormat()
  const machine = (slot: RackSlot) =>
    [
      ...(slot.nGPU > 0 ? [`${format.number(slot.nGPU)} × ${slot.gpu}`] : []),
      text.cpus(format.number(slot.nCPU)),
      text.memory(format.number(slot.mem)),
    ].join(' · ')
  return {
    machine,
    label: (slot: RackSlot) =>
      `${text.slot(slot.nodename, text[slot.state], machine(slot), format.usd(BigInt(slot.ratePerMonth)))}${slot.sample ? `, ${sample.short}` : ''}`,
    /** How far the price is from the median of its model, as a positive share rounded to percents; undefined without a median. */
    median: (slot: RackSlot): { share: number; under: boolean } | undefined => {
      if (slot.medianUnitRate === null || slot.medianUnitRate === '0') return undefined
      const median = BigInt(slot.medianUnitRate)
      const percent = Math.round(Number(((BigInt(slot.unitRate) - median) * 1000n) / median) / 10)
      return { share: Math.abs(percent) / 100, under: percent < 0 }
    },
  }
}
