import { gbToTb } from '@rackfair/core'
import { memo } from 'react'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Money } from '../../ui/Money.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { MedianDifference } from './MedianDifference.tsx'
import { nodeMessages } from './messages.ts'
import { NodeActions } from './NodeActions.tsx'
import type { NodeRowProps } from './nodeRowProps.ts'
import { useLiveNode } from './useLiveNode.ts'

/** One machine where there is no room for a table. */
export const NodeCard = memo(function NodeCard({ row, index: _place, ...rest }: NodeRowProps) {
  const text = useMessages(nodeMessages)
  const format = useFormat()
  const node = useLiveNode(row)
  const cpu = `${format.number(node.cpu.num)} × ${node.cpu.model}`
  const parts = [
    ...(node.gpu.num > 0 ? [`${node.gpu.model} × ${format.number(node.gpu.num)}`] : []),
    ...(node.cpu.num > 0 ? [cpu] : []),
    text.memory(format.number(node.mem.num)),
    text.storage(gbToTb(node.disk.num)),
  ]
  return (
    <article aria-label={node.nodename} className="flex flex-col gap-1.5 border-b border-line py-4">
      <div className="flex items-start justify-between gap-3">
        <h3 className="min-w-0 text-base break-words">{node.nodename}</h3>
        <Badge tone={node.sold ? 'run' : 'idle'} dot>
          {node.sold ? text.running : text.idling}
        </Badge>
      </div>
      <div className="flex items-baseline justify-between gap-3">
        <p className="num min-w-0 break-words">{parts[0]}</p>
        <span className="text-xs">
          <StateDot tone={node.online ? 'idle' : 'off'}>{node.online ? text.online : text.offline}</StateDot>
        </span>
      </div>
      <p className="num text-xs break-words text-ink-3">{parts.slice(1).join(' · ')}</p>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="flex flex-col">
          <span className="text-lg">
            <Money wei={BigInt(node.ratePerMonth)} per={text.perMonth} />
          </span>
          <MedianDifference node={node} words />
        </div>
        <NodeActions node={node} {...rest} />
      </div>
    </article>
  )
})
