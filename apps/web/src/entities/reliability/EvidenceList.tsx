import type { Outage, ReliabilityRecord } from '@rackfair/sdk/http'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { useConfig } from '../../platform/api/config.ts'
import { Copyable } from '../../ui/Copyable.tsx'
import { ExternalLink } from '../../ui/ExternalLink.tsx'
import { Hash } from '../../ui/Hash.tsx'
import { reliabilityTexts } from './reliabilityTexts.ts'

const MAX_LINES = 6

interface EvidenceListProps {
  answer: ReliabilityRecord
  nameOf?: ((nodeId: number) => string) | undefined
  /** Of one's own machines: what can still be disputed names the agent's command that shows its evidence. */
  own?: boolean
}

/** Every outage and broken order that lowers the figure, newest first, each with its transaction and what monitors published. */
export function EvidenceList({ answer, nameOf, own = false }: EvidenceListProps) {
  const text = useMessages(reliabilityTexts)
  const format = useFormat()
  const lines = [
    ...answer.outages.map((outage) => ({ time: outage.from, key: `${outage.orderId}-${outage.from}`, outage })),
    ...answer.brokenOrders.map((broken) => ({ time: broken.time, key: `broken-${broken.orderId}`, broken })),
  ].sort((a, b) => b.time - a.time)
  if (lines.length === 0) return <p className="mt-3 text-xs text-ink-3">{text.none}</p>
  return (
    <>
      <h3 className="mt-4 text-sm">{text.evidence}</h3>
      <ul className="mt-1 divide-y divide-line">
        {lines.slice(0, MAX_LINES).map((line) =>
          'outage' in line ? (
            <Line
              key={line.key}
              time={line.time}
              hash={line.outage.transactionHash}
              orderId={line.outage.orderId}
              title={titleOf(line.outage)}
              own={own && line.outage.state === 'found'}
            >
              {saidOf(line.outage)}
            </Line>
          ) : (
            <Line
              key={line.key}
              time={line.time}
              hash={line.broken.transactionHash}
              orderId={line.broken.orderId}
              title={text.brokenOrder(String(line.broken.orderId))}
            >
              {text.brokenHint}
            </Line>
          ),
        )}
      </ul>
      {lines.length > MAX_LINES && <p className="pt-2 text-xs text-ink-3">{text.more(lines.length - MAX_LINES)}</p>}
    </>
  )

  function titleOf({ nodeId, from, until }: Outage): string {
    const length = format.duration(until - from)
    return nameOf ? text.downOf(nameOf(nodeId), length) : text.down(length)
  }

  function saidOf({ agreed, reported, announced, state, finalAt }: Outage): string {
    const seen = reported === 0 ? text.unpublished : text.agreed(agreed, reported)
    const said = announced ? `${text.announced}, ${seen}` : seen
    return state === 'final' ? said : `${said}, ${text.challenged(format.dateTime(finalAt))}`
  }
}

interface LineProps {
  time: number
  title: string
  hash: string
  orderId: bigint
  /** Names the agent's command that shows what it has of this order. */
  own?: boolean
  children: ReactNode
}

function Line({ time, title, hash, orderId, own = false, children }: LineProps) {
  const text = useMessages(reliabilityTexts)
  const format = useFormat()
  const explorerUrl = useConfig()?.explorerUrl ?? null
  return (
    <li className="flex gap-3 py-2.5">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <div className="min-w-0 grow">
        <p className="flex flex-wrap justify-between gap-x-3">
          <span className="font-medium">{title}</span>
          <span className="num text-xs text-ink-3">{format.dateTime(time)}</span>
        </p>
        <p className="flex flex-wrap justify-between gap-x-3 text-xs text-ink-3">
          <ExternalLink to={`/v1/orders/${orderId}/evidence`}>{children}</ExternalLink>
          <Hash value={hash} explorerUrl={explorerUrl} />
        </p>
        {own && (
          <p className="mt-1 text-xs text-ink-2">
            {text.ownEvidence} <Copyable value={`rackfair-agent uptime ${orderId}`} />
          </p>
        )}
      </div>
    </li>
  )
}
