import type { LowerCaseAddress } from '@rackfair/rules/address'
import { useQuery } from '@tanstack/react-query'
import { presetsQuery } from '../../entities/order/queries.ts'
import { SampleMark } from '../../entities/sample/SampleMark.tsx'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Button } from '../../ui/Button.tsx'
import { Money } from '../../ui/Money.tsx'
import { findIdle } from './findMachines.ts'
import { nodeMessages } from './messages.ts'
import { NodeActions } from './NodeActions.tsx'
import { nearestMatches } from './nearestMatches.ts'
import { alongOf, type NodeFilter, nodeQueryOf } from './nodeFilter.ts'
import { useChipText } from './useChipText.ts'

export interface NearestMatchesProps {
  filter: NodeFilter
  onChange: (filter: NodeFilter) => void
  provider: string | undefined
  user: LowerCaseAddress | undefined
  now: number
  buy: boolean
}

/** Nothing has all of it: the machines that come nearest, cheapest first, and what each misses. */
export function NearestMatches({ filter, onChange, provider, user, now, buy }: NearestMatchesProps) {
  const text = useMessages(nodeMessages)
  const write = useChipText()
  const format = useFormat()
  const presets = useQuery({ ...presetsQuery, enabled: filter.runs !== '' })
  const app = presets.data?.find(({ name }) => name === filter.runs)
  const nearest = useQuery({
    queryKey: ['nodes', 'nearest', nodeQueryOf(filter), provider ?? ''],
    queryFn: ({ signal }) => nearestMatches({ ...filter, sort: 'price' }, findIdle(provider, signal), app),
    enabled: filter.runs === '' || !presets.isPending,
    meta: { live: ['node', 'provider'] },
  })
  if (!nearest.data || nearest.data.length === 0) return null
  return (
    <section aria-label={text.nearest.title} className="flex flex-col gap-2 pt-4">
      <h3 className="text-base">{text.nearest.title}</h3>
      <ul className="border-t border-line">
        {nearest.data.map(({ node, misses, without }) => {
          return (
            <li key={node.name} className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-line py-3">
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex flex-wrap items-center gap-x-2 font-semibold break-words">
                  {node.name}
                  <SampleMark of={node} />
                </p>
                <p className="num break-words text-ink-2">
                  {[
                    node.gpu.count > 0 ? text.gpu(node.gpu.count, node.gpu.model) : text.noGpu,
                    text.coreCount(node.cpu.count * node.cpu.cores),
                    text.memory(String(node.memoryGb)),
                  ].join(' · ')}
                </p>
              </div>
              <Money wei={node.ratePerMonthWei} per={text.perMonth} />
              <p className="text-warn">{text.nearest.misses(format.list(misses.map(write)))}</p>
              <Button onClick={() => onChange({ ...without, sort: filter.sort })}>{text.nearest.without(misses.length)}</Button>
              <NodeActions node={node} user={user} now={now} buy={buy} along={alongOf(without)} detail={false} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
