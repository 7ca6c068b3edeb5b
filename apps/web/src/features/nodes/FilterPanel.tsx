import { parseCredit } from '@rackfair/rules/money'
import { TAKES, type Take } from '@rackfair/rules/node/takes'
import type { NodeSearchPage } from '@rackfair/sdk/http'
import type { Format } from '../../i18n/format.ts'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Named } from '../../ui/Named.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AtLeastFilter } from './AtLeastFilter.tsx'
import { FilterGroup } from './FilterGroup.tsx'
import { ModelFilter } from './ModelFilter.tsx'
import { nodeMessages } from './messages.ts'
import { type NodeFilter, toggleModel } from './nodeFilter.ts'
import { PlaceFilter } from './PlaceFilter.tsx'
import { PriceFilter } from './PriceFilter.tsx'

const LEAST = [
  { key: 'minGpus', title: 'gpus', write: 'count', values: [1, 2, 4, 8] },
  { key: 'minVram', title: 'vram', write: 'size', values: [8, 12, 16, 24, 48, 80] },
  { key: 'minCores', title: 'cores', write: 'count', values: [4, 8, 16, 32, 64, 128] },
  { key: 'minMemory', title: 'memory', write: 'size', values: [8, 16, 32, 64, 128, 256, 512] },
  { key: 'minDisk', title: 'storage', write: 'size', values: [100, 250, 500, 1000, 2000, 4000, 8000] },
  { key: 'minReliability', title: 'reliability', write: 'percent', values: [25, 50, 75, 90] },
] as const
const WRITE = {
  size: (format: Format) => (value: number) => format.gigabytes(value),
  count: (format: Format) => (value: number) => format.number(value),
  percent: (format: Format) => (value: number) => format.percent(value / 100),
}
const PLEDGE_USD = [1, 10, 100, 1000, 10_000]

export interface FilterPanelProps {
  filter: NodeFilter
  onChange: (filter: NodeFilter) => void
  summary: NodeSearchPage | undefined
}

/** Everything a list of machines can be narrowed by, but for the search text. */
export function FilterPanel({ filter, onChange, summary }: FilterPanelProps) {
  const text = useMessages(nodeMessages).filters
  const format = useFormat()
  if (summary === undefined) return <Skeleton size="page" />
  const { facets } = summary
  const state = (
    <FilterGroup title={text.state} hideTitle>
      <Checkbox checked={filter.idle} onChange={(idle) => onChange({ ...filter, idle })} aside={format.number(facets.idle)}>
        <Named name={text.idleName}>{text.idle}</Named>
      </Checkbox>
      <Checkbox
        checked={filter.online}
        onChange={(online) => onChange({ ...filter, online })}
        aside={format.number(facets.online)}
      >
        {text.online}
      </Checkbox>
      <Checkbox
        checked={filter.verified}
        onChange={(verified) => onChange({ ...filter, verified })}
        aside={format.number(facets.verified)}
      >
        {text.verified}
      </Checkbox>
    </FilterGroup>
  )
  const toggle = (take: Take, isWanted: boolean) =>
    onChange({ ...filter, takes: TAKES.filter((one) => (one === take ? isWanted : filter.takes.includes(one))) })
  const takes = (
    <FilterGroup title={text.takesTitle}>
      {TAKES.map((take) => (
        <Checkbox key={take} checked={filter.takes.includes(take)} onChange={(isWanted) => toggle(take, isWanted)}>
          {text.takes[take]}
        </Checkbox>
      ))}
    </FilterGroup>
  )
  const models = (kind: 'gpu' | 'cpu') => (
    <ModelFilter
      title={text[kind]}
      facets={facets[kind]}
      chosen={filter[kind]}
      few={5}
      onToggle={(model) => onChange({ ...filter, [kind]: toggleModel(filter[kind], model) })}
    />
  )
  const price = <PriceFilter filter={filter} histogram={summary.histogram} onChange={onChange} />
  const least = (
    <div className="flex flex-col gap-2">
      {LEAST.map(({ key, title, values, write }) => (
        <AtLeastFilter
          key={key}
          title={text[title]}
          value={filter[key]}
          values={values}
          write={WRITE[write](format)}
          onChange={(value) => onChange({ ...filter, [key]: value })}
        />
      ))}
      <AtLeastFilter
        title={text.pledge}
        value={Number(filter.minPledge)}
        values={PLEDGE_USD}
        write={(value) => format.usd(parseCredit(String(value)) ?? 0n, { min: 0 })}
        onChange={(value) => onChange({ ...filter, minPledge: value === 0 ? '' : String(value) })}
      />
    </div>
  )
  return (
    <div className="flex flex-col gap-5">
      {state}
      {models('gpu')}
      {price}
      <PlaceFilter filter={filter} countries={facets.region} onChange={onChange} />
      {least}
      {models('cpu')}
      {takes}
    </div>
  )
}
