import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { RangeSlider } from '../../ui/RangeSlider.tsx'
import { FilterGroup } from './FilterGroup.tsx'
import { nodeMessages } from './messages.ts'
import type { NodeFilter } from './nodeFilter.ts'
import { edgesOfRange, type Histogram, priceEdges, rangeOfEdges, withRange } from './priceEdges.ts'
import { useDraft } from './useDraft.ts'

export interface PriceFilterProps {
  filter: NodeFilter
  histogram: Histogram
  onChange: (filter: NodeFilter) => void
}

/** The monthly totals as bars, and a range over them. */
export function PriceFilter({ filter, histogram: found, onChange }: PriceFilterProps) {
  const text = useMessages(nodeMessages).filters
  const format = useFormat()
  const histogram = withRange(found, filter.minPrice, filter.maxPrice)
  const edges = priceEdges(histogram)
  const [range, setRange] = useDraft(edgesOfRange(edges, filter.minPrice, filter.maxPrice), ({ low, high }) =>
    onChange({ ...filter, ...rangeOfEdges(edges, low, high) }),
  )
  const usd = (edge: number) => format.usd(edges[edge] ?? 0n, { min: 0, max: 0 })
  if (histogram.length === 0)
    return (
      <FilterGroup title={text.price}>
        <p className="text-ink-3">{text.noneOfIt}</p>
      </FilterGroup>
    )
  if (histogram.length === 1 || edges[0] === edges.at(-1))
    return (
      <FilterGroup title={text.price}>
        <p className="text-ink-2">{text.onePrice(format.usd(edges[0] ?? 0n))}</p>
      </FilterGroup>
    )
  const most = Math.max(...histogram.map((bucket) => bucket.count))
  return (
    <FilterGroup title={text.price}>
      <div role="img" aria-label={text.priceBars(usd(0), usd(histogram.length))} className="flex h-9 items-end gap-0.5 px-2">
        {histogram.map((bucket, index) => (
          <span
            key={bucket.fromWei}
            className={`flex-1 rounded-xs ${index >= range.low && index < range.high ? 'bg-ink-2' : 'bg-line-2'}`}
            style={{ height: `${bucket.count === 0 ? 0 : Math.max(6, (bucket.count / most) * 100)}%` }}
          />
        ))}
      </div>
      <RangeSlider
        low={range.low}
        high={range.high}
        onChange={(low, high) => setRange({ low, high })}
        min={0}
        max={histogram.length}
        lowLabel={text.priceFrom}
        highLabel={text.priceTo}
        valueText={usd}
      />
      <div className="num flex justify-between text-xs text-ink-3">
        <span>{usd(range.low)}</span>
        <span>{usd(range.high)}</span>
      </div>
    </FilterGroup>
  )
}
