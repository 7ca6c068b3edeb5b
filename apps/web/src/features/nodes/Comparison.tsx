import { X } from 'lucide-react'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Money } from '../../ui/Money.tsx'
import { StateShape } from '../../ui/StateDot.tsx'
import { toggleCompared } from './compareStore.ts'
import { bestOf, COMPARED, type ComparedLine, comparedValue } from './comparison.ts'
import { nodeMessages } from './messages.ts'
import { NodeActions } from './NodeActions.tsx'
import type { NodeRowProps } from './nodeRowProps.ts'
import type { ListedNode } from './useNodeSearch.ts'
import { rowKey } from './useScrollAnchor.ts'

export interface ComparisonProps extends Pick<NodeRowProps, 'user' | 'now' | 'along'> {
  nodes: readonly ListedNode[]
}

/** Machines side by side; the best value of a line is marked. */
export function Comparison({ nodes, ...rest }: ComparisonProps) {
  const text = useMessages(nodeMessages)
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse">
        <caption className="sr-only">{text.compare.title(nodes.length)}</caption>
        <thead>
          <tr className="border-b border-line align-bottom">
            <td className="min-w-24 py-2 pr-3 text-xs text-ink-3">
              <span className="inline-flex items-center gap-1.5">
                <StateShape tone="idle" />
                {text.compare.best}
              </span>
            </td>
            {nodes.map((node) => (
              <MachineHead key={rowKey(node)} node={node} />
            ))}
          </tr>
        </thead>
        <tbody>
          <tr className="border-b border-line">
            <th scope="row" className="py-2 pr-3 text-left text-xs font-normal text-ink-3">
              {text.columns.gpu}
            </th>
            {nodes.map((node) => (
              <td key={rowKey(node)} className="num py-2 pr-3">
                {node.gpu.count > 0 ? text.gpu(node.gpu.count, node.gpu.model) : text.noGpu}
              </td>
            ))}
          </tr>
          {COMPARED.map((line) => {
            const best = bestOf(line, nodes)
            return (
              <tr key={line} className="border-b border-line">
                <th scope="row" className="py-2 pr-3 text-left text-xs font-normal text-ink-3">
                  {text.compare.lines[line]}
                </th>
                {nodes.map((node, index) => (
                  <td key={rowKey(node)} className={`num py-2 pr-3 ${best[index] ? 'font-semibold' : 'text-ink-2'}`}>
                    <span className="inline-flex items-center gap-2">
                      <Value line={line} wei={comparedValue(line, node)} />
                      {best[index] && (
                        <>
                          <StateShape tone="idle" />
                          <span className="sr-only">{text.compare.best}</span>
                        </>
                      )}
                    </span>
                  </td>
                ))}
              </tr>
            )
          })}
          <tr>
            <td />
            {nodes.map((node) => (
              <td key={rowKey(node)} className="pt-3 pr-3">
                <span className="flex">
                  <NodeActions node={node} {...rest} buy detail={false} />
                </span>
              </td>
            ))}
          </tr>
        </tbody>
      </table>
    </div>
  )
}

function MachineHead({ node }: { node: ListedNode }) {
  const text = useMessages(nodeMessages)
  return (
    <th scope="col" className="min-w-32 py-2 pr-3 text-left font-semibold">
      <span className="flex items-center gap-1">
        <span className="min-w-16 break-words">
          {node.name}
          <SampleMark of={node} bare />
        </span>
        <button
          type="button"
          aria-label={text.compare.remove(node.name)}
          onClick={() => toggleCompared(node)}
          className="rounded-sm p-1 text-ink-3 hover:text-ink"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      </span>
    </th>
  )
}

const MONEY_DIGITS: Partial<Record<ComparedLine, number>> = { perGpu: 4, perHour: 4, perMonth: 2, pledge: 2, pledgeFree: 2 }

function Value({ line, wei }: { line: ComparedLine; wei: bigint | undefined }) {
  const format = useFormat()
  const digits = MONEY_DIGITS[line]
  if (wei === undefined) return '–'
  if (digits !== undefined) return <Money wei={wei} digits={digits} fixed />
  return line === 'gpus' || line === 'cores' ? format.number(wei) : format.gigabytes(Number(wei))
}
