import type { Provider } from '@rackfair/rules/provider/provider'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Bar } from '../../ui/Bar.tsx'
import { Card } from '../../ui/Card.tsx'
import { Figure } from '../../ui/Figure.tsx'
import { providerDetailMessages } from './messages.ts'
import { priceSpan } from './modelRows.ts'

/** Total, used and free of storage and of memory, each a figure of its own, with the price. */
export function ProviderCapacity({ provider }: { provider: Provider }) {
  const text = useMessages(providerDetailMessages)
  const format = useFormat()
  const disk = priceSpan(provider.nodes, 'disk')
  const memory = priceSpan(provider.nodes, 'memory')
  const span = (low: bigint, high: bigint) =>
    low === high ? format.usd(low, { max: 4 }) : text.priceRange(format.usd(low, { max: 4 }), format.usd(high, { max: 4 }))
  return (
    <Card title={text.capacity}>
      <div className="flex flex-col gap-6">
        <Resource
          name={text.storage}
          total={provider.listed.diskGb}
          used={provider.sold.diskGb}
          write={format.storage}
          price={disk && text.perTb(span(disk.lowWei * 1000n, disk.highWei * 1000n))}
        />
        <Resource
          name={text.memory}
          total={provider.listed.memoryGb}
          used={provider.sold.memoryGb}
          write={(gb) => `${format.number(gb)} GB`}
          price={memory && text.perGb(span(memory.lowWei, memory.highWei))}
        />
      </div>
    </Card>
  )
}

function Resource({
  name,
  total,
  used,
  write,
  price,
}: {
  name: string
  total: number
  used: number
  write: (gb: number) => string
  price: string | undefined
}) {
  const text = useMessages(providerDetailMessages)
  const free = Math.max(0, total - used)
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <h3 className="font-medium">{name}</h3>
        {price !== undefined && <span className="num text-xs text-ink-3">{price}</span>}
      </div>
      <Bar label={text.bar(name, write(used), write(free))} parts={[{ share: total === 0 ? 0 : used / total, tone: 'run' }]} />
      <div className="grid grid-cols-3 gap-3">
        <Figure term={text.total}>{write(total)}</Figure>
        <Figure term={text.used}>{write(used)}</Figure>
        <Figure term={text.free}>{write(free)}</Figure>
      </div>
    </div>
  )
}
