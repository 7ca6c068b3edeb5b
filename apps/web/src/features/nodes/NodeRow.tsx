import { gbToTb, shortAddress } from '@rackfair/core'
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
import { rowKey } from './useKeptPlace.ts'
import { useLiveNode } from './useLiveNode.ts'

/** One machine in the table; 52 px high whatever it holds. */
export const NodeRow = memo(function NodeRow({ row, index, ...rest }: NodeRowProps) {
  const text = useMessages(nodeMessages)
  const format = useFormat()
  const node = useLiveNode(row)
  const cpu = node.cpu.num > 0 ? `${format.number(node.cpu.num)} × ${node.cpu.model}` : ''
  const gpu = node.gpu.num > 0 ? `${node.gpu.model} × ${format.number(node.gpu.num)}` : ''
  return (
    <tr data-row={rowKey(row)} aria-rowindex={index + 2} className="h-13 border-b border-line">
      <td className="pr-3">
        <span className="block truncate font-semibold" title={node.nodename}>
          {node.nodename}
        </span>
        <span className="num block truncate text-xs text-ink-3" title={node.cp}>
          {shortAddress(node.cp)}
        </span>
      </td>
      <td className="num pr-3 text-xs" title={cpu === '' ? undefined : text.cores(cpu, format.number(node.cpu.core))}>
        <span className={`line-clamp-2 ${cpu === '' ? 'text-ink-3' : ''}`}>{cpu || text.noCpu}</span>
      </td>
      <td className="num pr-3 text-xs" title={gpu}>
        <span className={`line-clamp-2 ${gpu === '' ? 'text-ink-3' : ''}`}>{gpu || text.noGpu}</span>
      </td>
      <td className="num truncate pr-3 text-right">{text.memory(format.number(node.mem.num))}</td>
      <td className="num truncate pr-3 text-right">{text.storage(gbToTb(node.disk.num))}</td>
      <td className="pr-3 text-right">
        <span className="block">
          <Money wei={BigInt(node.ratePerMonth)} />
        </span>
        <span className="block">
          <MedianDifference node={node} />
        </span>
      </td>
      <td className="pr-3">
        <StateDot tone={node.online ? 'idle' : 'off'}>{node.online ? text.online : text.offline}</StateDot>
      </td>
      <td className="pr-3">
        <Badge tone={node.sold ? 'run' : 'idle'} dot>
          {node.sold ? text.running : text.idling}
        </Badge>
      </td>
      <td>
        <NodeActions node={node} {...rest} />
      </td>
    </tr>
  )
})
