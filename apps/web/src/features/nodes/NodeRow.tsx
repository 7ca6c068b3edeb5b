import { gpuMemoryGb } from '@rackfair/rules/gpu/gpuMemory'
import type { MarketNode } from '@rackfair/rules/node/node'
import { shortAddress } from '@rackfair/rules/text/shortText'
import { memo } from 'react'
import { Link } from 'wouter'
import { HardwareMark } from '../../entities/hardware/HardwareMark.tsx'
import { ReliabilityCell } from '../../entities/reliability/ReliabilityCell.tsx'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
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
import { rowKey } from './useScrollAnchor.ts'

/** One machine in the table, in one line whatever it holds; what does not fit is in the title of its cell. */
export const NodeRow = memo(function NodeRow({ row, index, per, compare, ...rest }: NodeRowProps) {
  const text = useMessages(nodeMessages)
  const format = useFormat()
  const node = useLiveNode(row)
  const cores = text.coreCount(node.cpu.count * node.cpu.cores)
  const cpu = node.cpu.count > 0 ? `${format.number(node.cpu.count)} × ${node.cpu.model}` : ''
  const unit = per === 'month' ? undefined : priceIn(per, node)
  return (
    <tr
      data-row={rowKey(row)}
      aria-rowindex={index + 2}
      className={`h-11 border-b border-line hover:bg-raised has-checked:bg-sunk ${node.sold ? 'text-ink-2' : ''}`}
    >
      {compare && (
        <td className="no-print">
          <CompareBox row={row} />
        </td>
      )}
      <td className="pr-3 font-semibold" title={`${node.name}, ${shortAddress(node.provider)}`}>
        <span className="flex items-center gap-1.5">
          <span className="min-w-0">
            <Link to={machinePath(node, rest.along)} className="block truncate hover:underline">
              {node.name}
            </Link>
            <SampleMark of={node} bare />
          </span>
          <HardwareMark node={node} now={rest.now} />
          <OversoldMark node={node} />
        </span>
      </td>
      <td className="truncate pr-3 @max-table-narrow:hidden">
        {node.region !== undefined && (
          <span className="num text-ink-2" title={text.countryOf(format.country(node.region))}>
            {node.region}
          </span>
        )}
      </td>
      <GpuCell node={node} />
      <td className="truncate pr-3" title={cpu === '' ? undefined : text.cores(cpu, format.number(node.cpu.cores))}>
        {cpu === '' ? <span className="text-ink-3">{text.noCpu}</span> : <span className="num">{cores}</span>}
      </td>
      <td className="num truncate pr-3 text-right">
        <SizeCell size={node.memoryGb} words={text.memory(format.number(node.memoryGb))} missing={text.noMemory} />
      </td>
      <td className="num truncate pr-3 text-right @max-table-narrow:hidden">
        <SizeCell size={node.diskGb} words={format.gigabytes(node.diskGb)} missing={text.noStorage} />
      </td>
      <td className="truncate pr-3 @max-page:hidden">
        <ReliabilityCell node={node} />
      </td>
      {per !== 'month' && (
        <td className="truncate pr-3 text-right font-semibold">
          {unit === undefined ? (
            <span className="font-normal text-ink-3">–</span>
          ) : (
            <Money wei={unit} digits={UNIT_DIGITS[per]} fixed />
          )}
          {unit !== undefined && <MedianDifference node={node} below />}
        </td>
      )}
      <td className={`truncate pr-3 text-right ${per === 'month' ? 'font-semibold' : 'text-ink-2 @max-table:hidden'}`}>
        <Money wei={node.ratePerMonthWei} />
        {(per === 'month' || unit === undefined) && <MedianDifference node={node} below />}
      </td>
      <td className="truncate pr-3">
        <StateDot tone={node.online ? 'idle' : 'off'}>{node.online ? text.online : text.offline}</StateDot>
      </td>
      <td className="truncate pr-3">
        <StateDot tone={node.sold ? 'run' : 'idle'}>
          <Spoken as={node.sold ? text.running : text.idling}>{node.sold ? text.machine.rented : text.machine.free}</Spoken>
        </StateDot>
      </td>
      <td className="no-print">
        <NodeActions node={node} size="sm" {...rest} />
      </td>
    </tr>
  )
})

/** How many of which GPU, their memory together, and the driver where one is told. */
function GpuCell({ node }: { node: MarketNode }) {
  const text = useMessages(nodeMessages)
  const format = useFormat()
  const gpu = node.gpu.count > 0 ? text.gpu(node.gpu.count, node.gpu.model) : ''
  const vram = node.gpu.count > 0 ? gpuMemoryGb(node.gpu.model) : undefined
  return (
    <td className="num truncate pr-3" title={vram === undefined ? gpu : text.vramEach(gpu, format.gigabytes(vram))}>
      {gpu === '' ? <span className="text-ink-3">{text.noGpu}</span> : gpu}
      {vram !== undefined && <span className="text-ink-3 @max-table:hidden"> {format.gigabytes(vram * node.gpu.count)}</span>}
      {node.driver !== undefined && (
        <span className="block truncate text-xs leading-none text-ink-3">{text.driverOf(node.driver)}</span>
      )}
    </td>
  )
}
