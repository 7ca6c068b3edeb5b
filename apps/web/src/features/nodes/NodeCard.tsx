import { gpuMemoryGb } from '@rackfair/rules/gpu/gpuMemory'
import { memo } from 'react'
import { Link } from 'wouter'
import { HardwareMark } from '../../entities/hardware/HardwareMark.tsx'
import { ReliabilityCell } from '../../entities/reliability/ReliabilityCell.tsx'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Dotted } from '../../ui/Dotted.tsx'
import { Money } from '../../ui/Money.tsx'
import { Spoken } from '../../ui/Spoken.tsx'
import { StateDot } from '../../ui/StateDot.tsx'
import { CompareBox } from './CompareBox.tsx'
import { MedianDifference } from './MedianDifference.tsx'
import { machinePath } from './machinePath.ts'
import { nodeMessages } from './messages.ts'
import { NodeActions } from './NodeActions.tsx'
import type { NodeRowProps } from './nodeRowProps.ts'
import { OversoldMark } from './OversoldMark.tsx'
import { priceIn, UNIT_DIGITS } from './priceUnit.ts'
import { SizeCell } from './SizeCell.tsx'
import { useLiveNode } from './useLiveNode.ts'

/** One machine where there is no room for a table. */
export const NodeCard = memo(function NodeCard({ row, index: _place, per, compare, ...rest }: NodeRowProps) {
  const text = useMessages(nodeMessages)
  const format = useFormat()
  const node = useLiveNode(row)
  const vram = node.gpu.count > 0 ? gpuMemoryGb(node.gpu.model) : undefined
  const inUnit = priceIn(per, node)
  const unit = inUnit === undefined ? 'month' : per
  return (
    <article aria-label={node.name} className="flex flex-col gap-1 border-b border-line py-3">
      <div className="flex items-start justify-between gap-3">
        <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="min-w-0 text-base break-words">
            <Link to={machinePath(node, rest.along)} className="hover:underline">
              {node.name}
            </Link>
          </h3>
          {node.region !== undefined && (
            <span className="num text-xs text-ink-3" title={text.countryOf(format.country(node.region))}>
              {node.region}
            </span>
          )}
          <SampleMark of={node} />
        </span>
        <span className="shrink-0 text-right text-lg">
          <Money wei={inUnit ?? node.ratePerMonthWei} digits={UNIT_DIGITS[unit]} fixed />
          <span className="text-xs text-ink-3">{text.per[unit]}</span>
        </span>
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="num break-words">
          {node.gpu.count > 0 ? text.gpu(node.gpu.count, node.gpu.model) : text.noGpu}
          {vram !== undefined && <span className="text-ink-3"> {format.gigabytes(vram * node.gpu.count)}</span>}
        </p>
        {unit !== 'month' && (
          <span className="text-xs text-ink-3">
            <Money wei={node.ratePerMonthWei} per={text.perMonth} />
          </span>
        )}
      </div>
      <div className="flex flex-wrap items-baseline justify-between gap-x-3 text-ink-2">
        <Dotted
          parts={[
            <span key="cores" className="num">
              {text.coreCount(node.cpu.count * node.cpu.cores)}
            </span>,
            <SizeCell
              key="memory"
              size={node.memoryGb}
              words={text.memory(format.number(node.memoryGb))}
              missing={text.noMemory}
            />,
            <SizeCell key="storage" size={node.diskGb} words={format.gigabytes(node.diskGb)} missing={text.noStorage} />,
          ]}
        />
        <MedianDifference node={node} />
      </div>
      {node.reliability && <ReliabilityCell node={node} words />}
      <HardwareMark node={node} now={rest.now} words />
      <OversoldMark node={node} words />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="flex flex-wrap gap-x-3 text-xs">
          <StateDot tone={node.online ? 'idle' : 'off'}>{node.online ? text.online : text.offline}</StateDot>
          <StateDot tone={node.sold ? 'run' : 'idle'}>
            <Spoken as={node.sold ? text.running : text.idling}>{node.sold ? text.machine.rented : text.machine.free}</Spoken>
          </StateDot>
        </span>
        <span className="no-print ml-auto flex items-center gap-1">
          {compare && <CompareBox row={row} boxed />}
          <NodeActions node={node} {...rest} />
        </span>
      </div>
    </article>
  )
})
