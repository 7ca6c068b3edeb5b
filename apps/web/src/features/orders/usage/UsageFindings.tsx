import type { Order } from '@rackfair/rules/order/order'
import type { UsageLimits, UsagePoint } from '@rackfair/sdk/workspace'
import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { TextLink } from '../../../ui/TextLink.tsx'
import { likeIt } from '../page/likeIt.ts'
import { usageMessages } from './messages.ts'
import { type UsageFinding, usageFindings } from './usageFindings.ts'
import { useUsageWords } from './useUsageWords.ts'

export interface UsageFindingsProps {
  order: Order
  limits: UsageLimits
  points: readonly UsagePoint[]
}

/** What the figures say, in at most three sentences, each with where to go from there. */
export function UsageFindings({ order, limits, points }: UsageFindingsProps) {
  const text = useMessages(usageMessages)
  const format = useFormat()
  const words = useUsageWords()
  const findings = usageFindings(limits, points)
  if (findings.length === 0) return null
  const sentence = (finding: UsageFinding): string => {
    switch (finding.kind) {
      case 'processor_idle':
        return text.findings.processor_idle(words.value('processor', finding.highest), words.value('processor', finding.bought))
      case 'room':
        return text.findings.room
      default:
        return text.findings[finding.kind](format.percent(finding.share))
    }
  }
  const wayOn = ({ kind }: UsageFinding) => {
    if (kind === 'room') return null
    if (kind === 'memory_full') return <TextLink to={`/orderinfo?id=${order.id}&tab=logs`}>{text.seeLog}</TextLink>
    if (kind === 'disk_full') return <TextLink to={`/orderinfo?id=${order.id}&tab=files`}>{text.seeFiles}</TextLink>
    return <TextLink to={likeIt(order)}>{text.otherMachines}</TextLink>
  }
  return (
    <section aria-label={text.findingsTitle} className="flex flex-col gap-2 border-t border-line px-edge py-4">
      <h3 className="text-xs text-ink-3">{text.findingsTitle}</h3>
      <ul className="flex flex-col gap-1.5">
        {findings.map((finding) => (
          <li key={finding.kind} className="flex items-start gap-2">
            <Mark kind={finding.kind} />
            <span>
              {sentence(finding)} {wayOn(finding)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Mark({ kind }: Pick<UsageFinding, 'kind'>) {
  if (kind === 'room') return <CircleCheck aria-hidden className="mt-0.5 size-4 shrink-0 text-idle" />
  if (kind === 'gpu_idle' || kind === 'processor_idle') return <Info aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
  return <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
}
