import { HOUR_SECONDS } from '@rackfair/rules/duration'
import type { NodeOffer } from '@rackfair/rules/node/node'
import { accruedWei } from '@rackfair/rules/prices/pricing'
import { readNodeSearch } from '@rackfair/sdk/http'
import { useQuery } from '@tanstack/react-query'
import { useFormat } from '../../../i18n/useFormat.ts'
import { useMessages } from '../../../i18n/useMessages.ts'
import { api } from '../../../platform/api/api.ts'
import { Money } from '../../../ui/Money.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import { useAccountState } from '../../../wallet/index.ts'
import { machinePath } from '../machinePath.ts'
import { nodeMessages } from '../messages.ts'
import { NodeActions } from '../NodeActions.tsx'

const SHOWN = 3

/** Other machines with the same GPU that can be bought, cheapest first. Nothing where there is none. */
export function Elsewhere({ node, now }: { node: NodeOffer; now: number }) {
  const text = useMessages(nodeMessages)
  const format = useFormat()
  const user = useAccountState().lowerCase
  const { model, count } = node.gpu
  const { data } = useQuery({
    queryKey: ['nodes', 'like', model],
    queryFn: ({ signal }) => api.nodes({ gpu: model, idle: true, online: true, sort: 'perGpu', limit: SHOWN + 1 }, { signal }),
    enabled: count > 0,
    select: (page) => readNodeSearch(page).nodes,
    meta: { live: ['node', 'provider'] },
  })
  const others = data?.filter(({ name }) => name !== node.name).slice(0, SHOWN) ?? []
  if (others.length === 0) return null
  const title = text.machine.elsewhere(model)
  return (
    <section aria-label={title} className="flex flex-col">
      <div className="flex items-baseline justify-between gap-3 pb-3">
        <h2 className="text-base">{title}</h2>
        <TextLink to={`/nodelist?gpu=${encodeURIComponent(model)}`}>{text.machine.all}</TextLink>
      </div>
      <ul className="border-t border-line">
        {others.map((other) => (
          <li
            key={other.name}
            className="flex min-h-13 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line py-2 text-ink-2"
          >
            <span className="w-28 font-semibold text-ink">
              <TextLink to={machinePath(other)}>{other.name}</TextLink>
            </span>
            <span className="num">{text.gpu(other.gpu.count, other.gpu.model)}</span>
            <span className="num max-sm:hidden">{text.coreCount(other.cpu.count * other.cpu.cores)}</span>
            <span className="num max-sm:hidden">{format.gigabytes(other.memoryGb)}</span>
            <span className="ml-auto font-semibold text-ink">
              <Money wei={accruedWei(other.ratePerMonthWei, HOUR_SECONDS)} digits={4} fixed per={text.per.hour} />
            </span>
            <NodeActions node={other} user={user} now={now} buy detail={false} size="sm" />
          </li>
        ))}
      </ul>
    </section>
  )
}
