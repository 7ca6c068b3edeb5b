import type { NodeReliability } from '@rackfair/rules/node/node'
import { isMeasured } from '@rackfair/rules/uptime/reliability'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { reliabilityTexts } from './reliabilityTexts.ts'

const DAY_SECONDS = 86_400

/** What was seen of a machine that is too new for a chance: "new, 20 min observed, no outage". Undefined for one that has a chance. */
export function useFreshText() {
  const text = useMessages(reliabilityTexts)
  const format = useFormat()
  return (reliability: Pick<NodeReliability, 'seenDays' | 'outages' | 'brokenOrders'>): string | undefined => {
    if (isMeasured(reliability)) return undefined
    const { seenDays, outages, brokenOrders } = reliability
    const faults = [
      ...(outages > 0 ? [text.outagesSeen(outages)] : []),
      ...(brokenOrders > 0 ? [text.brokenSeen(brokenOrders)] : []),
    ]
    return text.fresh(format.roughDuration(seenDays * DAY_SECONDS), faults.length > 0 ? format.list(faults) : text.noFault)
  }
}
