import { parseCredit } from '@rackfair/core'
import type { NodeSearchAnswer } from '@rackfair/core/wire'
import { useFormat } from '../../i18n/useFormat.ts'
import { useMessages } from '../../i18n/useMessages.ts'
import { Checkbox } from '../../ui/Checkbox.tsx'
import { Skeleton } from '../../ui/Skeleton.tsx'
import { AtLeastFilter } from './AtLeastFilter.tsx'
import { FilterGroup } from './FilterGroup.tsx'
import { ModelFilter } from './ModelFilter.tsx'
import { nodeMessages } from './messages.ts'
import { type NodeFilter, toggleModel } from './nodeFilter.ts'
import { PriceFilter } from './PriceFilter.tsx'

const GPUS = [1, 2, 4, 8]
const VRAM_GB = [8, 12, 16, 24, 48, 80]
const CORES = [4, 8, 16, 32, 64, 128]
const MEMORY_GB = [8, 16, 32, 64, 128, 256, 512]
const STORAGE_GB = [100, 250, 500, 1000, 2000, 4000, 8000]
const PLEDGE_USD = [1, 10, 100, 1000, 10_000]

export interface FilterPanelProps {
  filter: NodeFilter
  onChange: (filter: NodeFilter) => void
  summary: NodeSearchAnswer | undefined
}

/** Everything a list of machines can be narrowed by, but for the search text. */
export function FilterPanel({ filter, onChange, summary }: FilterPanelProps) {
  const text = useMessages(nodeMessages).filters
  const format = useFormat()
  if (summary === undefined) return <Skeleton size="page" />
  const { facets } = summary
  return (
    <div className="flex flex-col gap-5">
      <FilterGroup title={text.state} hideTitle>
        <Checkbox checked={filter.idle} onChange={(idle) => onChange({ ...filter, idle })} aside={format.number(facets.idle)}>
          {text.idle}
        </Checkbox>
        <Checkbox
          checked={filter.online}
          onChange={(online) => onChange({ ...filter, online })}
          aside={format.number(facets.online)}
        >
          {text.online}
        </Checkbox>
      </FilterGroup>
      <ModelFilter
        title={text.gpu}
        facets={facets.gpu}
        chosen={filter.gpu}
        onToggle={(model) => onChange({ ...filter, gpu: toggleModel(filter.gpu, model) })}
      />
      <AtLeastFilter
        title={text.gpus}
        value={filter.minGpus}
        values={GPUS}
        write={(value) => format.number(value)}
        onChange={(minGpus) => onChange({ ...filter, minGpus })}
      />
      <AtLeastFilter
        title={text.vram}
        value={filter.minVram}
        values={VRAM_GB}
        write={(value) => format.gigabytes(value)}
        onChange={(minVram) => onChange({ ...filter, minVram })}
      />
      <PriceFilter filter={filter} histogram={summary.histogram} onChange={onChange} />
      <AtLeastFilter
        title={text.memory}
        value={filter.minMemory}
        values={MEMORY_GB}
        write={(value) => format.gigabytes(value)}
        onChange={(minMemory) => onChange({ ...filter, minMemory })}
      />
      <AtLeastFilter
        title={text.storage}
        value={filter.minDisk}
        values={STORAGE_GB}
        write={(value) => format.gigabytes(value)}
        onChange={(minDisk) => onChange({ ...filter, minDisk })}
      />
      <AtLeastFilter
        title={text.cores}
        value={filter.minCores}
        values={CORES}
        write={(value) => format.number(value)}
        onChange={(minCores) => onChange({ ...filter, minCores })}
      />
      <ModelFilter
        title={text.cpu}
        facets={facets.cpu}
        chosen={filter.cpu}
        onToggle={(model) => onChange({ ...filter, cpu: toggleModel(filter.cpu, model) })}
      />
      <AtLeastFilter
        title={text.pledge}
        value={Number(filter.minPledge)}
        values={PLEDGE_USD}
        write={(value) => format.usd(parseCredit(String(value)) ?? 0n, { min: 0 })}
        onChange={(value) => onChange({ ...filter, minPledge: value === 0 ? '' : String(value) })}
      />
    </div>
  )
}
