import type { MachineGpu } from '@rackfair/sdk/workspace'
import { isHot } from '../../../entities/workspace/nodeHeat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { ownNodeMessages } from '../messages.ts'

const COLD = 20
const HOT = 100
const share = (celsius: number) => `${Math.min(1, Math.max(0, (celsius - COLD) / (HOT - COLD))) * 100}%`

/** How hot a card is, from 20 to 100 °C, with a mark where it slows itself down. */
export function HeatBar({ gpu }: { gpu: MachineGpu }) {
  const text = useMessages(ownNodeMessages).machines
  const { celsius = 0, slowsAtCelsius } = gpu
  const hot = isHot(gpu)
  const degrees = Math.round(celsius)
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span
        role="img"
        aria-label={slowsAtCelsius === undefined ? text.heatOf(degrees) : text.heatToLimit(degrees, Math.round(slowsAtCelsius))}
        className="relative block h-2 w-12 overflow-hidden rounded-xs bg-slot"
      >
        <span className={`block h-full ${hot ? 'bg-warn' : 'bg-off'}`} style={{ width: share(celsius) }} />
        {slowsAtCelsius !== undefined && (
          <span className="absolute inset-y-0 w-0.5 bg-ink" style={{ left: share(slowsAtCelsius) }} />
        )}
      </span>
      <span aria-hidden className={`num ${hot ? 'font-medium text-warn' : ''}`}>{`${degrees} °C`}</span>
    </span>
  )
}
