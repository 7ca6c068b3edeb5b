import { useQueries } from '@tanstack/react-query'
import { useMessages } from '../../i18n/useMessages.ts'
import { api } from '../../lib/api.ts'
import { SampleMark } from '../../lib/sample/SampleMark.tsx'
import { Button } from '../../ui/Button.tsx'
import { Money } from '../../ui/Money.tsx'
import { type FilterChip, filterChips } from './filterChips.ts'
import { nodeMessages } from './messages.ts'
import { NodeActions } from './NodeActions.tsx'
import { type NodeFilter, nodeQueryOf } from './nodeFilter.ts'
import { useChipText } from './useChipText.ts'

const SHOWN = 3
/** Conditions that are tried without; a shared link may have many. */
const TRIED = 12

export interface NearestMatchesProps {
  filter: NodeFilter
  onChange: (filter: NodeFilter) => void
  provider: string | undefined
  user: string | undefined
  now: number
  buy: boolean
}

/** Nothing has all of it: the cheapest idle machine for each condition that alone stands in the way, and what it misses. */
export function NearestMatches({ filter, onChange, provider, user, now, buy }: NearestMatchesProps) {
  const text = useMessages(nodeMessages)
  const write = useChipText()
  const chips = filterChips(filter).slice(0, TRIED)
  const nearest = useQueries({
    queries: chips.map((chip) => {
      const query = {
        ...nodeQueryOf({ ...chip.without, sort: 'price' }),
        idle: 'true' as const,
        online: 'true' as const,
        ...(provider === undefined ? {} : { provider }),
      }
      return {
        queryKey: ['nodes', 'nearest', query],
        queryFn: ({ signal }: { signal: AbortSignal }) => api.nodes({ ...query, limit: 1 }, { signal }),
        meta: { live: ['node', 'provider'] as const },
      }
    }),
  })
  const found = chips
    .map((chip, index): { chip: FilterChip; answer: (typeof nearest)[number]['data'] } => ({
      chip,
      answer: nearest[index]?.data,
    }))
    .filter(({ answer }) => answer !== undefined && answer.total > 0)
    .slice(0, SHOWN)
  if (found.length === 0) return null
  return (
    <section aria-label={text.nearest.title} className="flex flex-col gap-2 pt-4">
      <h3 className="text-base">{text.nearest.title}</h3>
      <ul className="border-t border-line">
        {found.map(({ chip, answer }) => {
          const node = answer?.items[0]
          if (!node) return null
          return (
            <li key={chip.key} className="flex flex-wrap items-center gap-x-5 gap-y-2 border-b border-line py-3">
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex flex-wrap items-center gap-x-2 font-semibold break-words">
                  {node.nodename}
                  <SampleMark of={node} />
                </p>
                <p className="num break-words text-ink-2">
                  {[
                    node.gpu.num > 0 ? text.gpu(node.gpu.num, node.gpu.model) : text.noGpu,
                    text.coreCount(node.cpu.num * node.cpu.core),
                    text.memory(String(node.mem.num)),
                  ].join(' · ')}
                </p>
              </div>
              <Money wei={BigInt(node.ratePerMonth)} per={text.perMonth} />
              <p className="text-warn">{text.nearest.misses(write(chip))}</p>
              <Button onClick={() => onChange(chip.without)}>{text.nearest.without}</Button>
              <NodeActions node={node} user={user} now={now} buy={buy} runs={chip.without.runs} detail={false} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
