import type { MarketNode } from '@rackfair/rules/node/node'
import { uninterruptedChance } from '@rackfair/rules/uptime/reliability'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { ReliabilityStrip } from './ReliabilityStrip.tsx'
import { reliabilityTexts } from './reliabilityTexts.ts'
import { useFreshText } from './useFreshText.ts'

const DAYS = 30

/** How likely a machine runs through 30 days, with its last 90, in one line. */
export function ReliabilityCell({
  node: { reliability },
  words = false,
}: {
  node: Pick<MarketNode, 'reliability'>
  words?: boolean
}) {
  const text = useMessages(reliabilityTexts)
  const format = useFormat()
  const freshText = useFreshText()
  if (!reliability)
    return (
      <span className="text-xs text-ink-3" title={text.unknownText}>
        {text.unknown}
      </span>
    )
  const fresh = freshText(reliability)
  if (fresh !== undefined)
    return (
      <span className="text-xs text-ink-2" title={`${fresh}. ${text.freshText}`}>
        {fresh}
      </span>
    )
  const chance = format.percent(uninterruptedChance(reliability, DAYS))
  return (
    <span className="inline-flex items-center gap-2" title={text.chanceIn(chance, text.days(String(DAYS), false))}>
      <span className="num">{chance}</span>
      {words && <span className="text-xs text-ink-3">{text.column}</span>}
      <ReliabilityStrip strip={reliability.strip} small />
    </span>
  )
}
