import type { NodeOffer } from '@rackfair/rules/node/node'
import { uninterruptedChance } from '@rackfair/rules/uptime/reliability'
import { ChevronDown, ShieldCheck, ShieldQuestionMark } from 'lucide-react'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { useNow } from '../../../platform/browser/useNow.ts'
import { Dotted } from '../../../ui/Dotted.tsx'
import { HardwareCard } from '../../hardware/HardwareCard.tsx'
import { hardwareState } from '../../hardware/hardwareState.ts'
import { ReliabilityCard } from '../../reliability/ReliabilityCard.tsx'
import { reliabilityTexts } from '../../reliability/reliabilityTexts.ts'
import { useFreshText } from '../../reliability/useFreshText.ts'
import { ProviderCard } from './ProviderCard.tsx'
import { trustTexts } from './trustTexts.ts'

const DAYS = 30

export interface TrustLineProps {
  node: NodeOffer
  /** What a purchase locks of the pledge; undefined while that is unknown. */
  lockedWei: bigint | undefined
  /** What the chance of running through is for. */
  days?: number
}

/** What speaks for a machine in one line, which unfolds to what it rests on. */
export function TrustLine({ node, lockedWei, days = DAYS }: TrustLineProps) {
  const text = useMessages(trustTexts)
  const seen = useMessages(reliabilityTexts)
  const format = useFormat()
  const freshText = useFreshText()
  const now = useNow(30_000)
  const { reliability } = node
  const hardware = hardwareState(node.verification, now)
  const watched = reliability
    ? (freshText(reliability) ?? text.uninterrupted(format.percent(uninterruptedChance(reliability, DAYS))))
    : seen.unknown
  const tested = hardware === 'verified' ? text.verified : hardware === 'failed' ? text.failed : text.notVerified
  const Shield = hardware === 'verified' ? ShieldCheck : ShieldQuestionMark
  const parts = [
    watched,
    tested,
    text.pledged(format.usd(node.pledgeWei)),
    ...(lockedWei !== undefined && lockedWei > 0n ? [text.yours(format.usd(lockedWei), node.providerName)] : []),
  ]
  return (
    <details className="group min-w-0 rounded-lg border border-line bg-raised">
      <summary className="flex min-h-12 cursor-pointer list-none items-center gap-3 px-5 py-2.5">
        <Shield aria-hidden className={`size-4 shrink-0 ${hardware === 'verified' ? 'text-idle' : 'text-warn'}`} />
        <span className="min-w-0 flex-1 text-sm text-ink-2">
          <span className="sr-only">{text.title} </span>
          <Dotted parts={parts} />
        </span>
        <span className="flex shrink-0 items-center gap-1 text-sm text-ink-2">
          {text.why}
          <ChevronDown aria-hidden className="size-4 group-open:rotate-180" />
        </span>
      </summary>
      <div className="flex flex-col gap-4 border-t border-line p-4">
        <ProviderCard node={node} lockedWei={lockedWei} />
        <div className="grid gap-4 md:grid-cols-2">
          <HardwareCard provider={node.provider} nodeId={node.nodeId} rev={node.revision} />
          <ReliabilityCard provider={node.provider} nodeId={node.nodeId} days={days} />
        </div>
      </div>
    </details>
  )
}
