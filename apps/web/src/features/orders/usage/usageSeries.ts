import type { GpuUsage, UsageLimits, UsagePoint } from '@rackfair/sdk/workspace'

export type UsageKey = 'gpu' | 'gpuMemory' | 'gpuHeat' | 'gpuPower' | 'processor' | 'memory' | 'disk' | 'network' | 'processes'

/** One line of a chart: what it is of, and its value in a point. */
export interface UsageLine {
  /** A card by its number, what one of two directions is called, or of many cards their mean and their highest. */
  name: number | 'received' | 'sent' | 'mean' | 'highest' | undefined
  /** Undefined where it was not measured. */
  figureOf: (point: UsagePoint) => number | undefined
}
export interface UsageSeries {
  key: UsageKey
  lines: readonly UsageLine[]
  /** What was bought, in the unit of the values. */
  limit: number | undefined
  /** Where the axis begins. */
  from: number
}

/** Memory is sold in units of 2^30 bytes. */
const MEMORY_GB = 2 ** 30
const DISK_GB = 1e9
const MEGABIT_BYTES = 125_000
/** More cards are drawn as their mean and their highest: two lines can be told apart. */
const MAX_CARD_LINES = 2
const COLDEST = 30

/**
 * What an order's usage is drawn as: cards first, where there are any, and nothing that no point has a figure of. Values are in %, GB, °C, W,
 * cores, Mbit/s.
 */
export function usageSeries(limits: UsageLimits, points: readonly UsagePoint[]): UsageSeries[] {
  return allSeries(limits).filter(({ lines }) =>
    lines.some(({ figureOf }) => points.some((point) => figureOf(point) !== undefined)),
  )
}

function allSeries(limits: UsageLimits): UsageSeries[] {
  const cards = limits.gpus.length
  const ofCards = (figureOf: (gpu: GpuUsage) => number | undefined): UsageLine[] => {
    if (cards <= MAX_CARD_LINES)
      return Array.from({ length: cards }, (_, name) => ({
        name: cards === 1 ? undefined : name,
        figureOf: ({ gpus }) => gpus[name] && figureOf(gpus[name]),
      }))
    const all = ({ gpus }: UsagePoint) => gpus.map(figureOf).filter((value) => value !== undefined)
    const ofAll = (made: (values: number[]) => number) => (point: UsagePoint) => {
      const values = all(point)
      return values.length === 0 ? undefined : made(values)
    }
    return [
      { name: 'mean', figureOf: ofAll((values) => values.reduce((sum, value) => sum + value, 0) / values.length) },
      { name: 'highest', figureOf: ofAll((values) => Math.max(...values)) },
    ]
  }
  const one = (figureOf: UsageLine['figureOf']): UsageLine[] => [{ name: undefined, figureOf }]
  const cardMemory = Math.max(0, ...limits.gpus.map(({ memoryMb }) => memoryMb ?? 0)) / 1024
  const ofGpus: UsageSeries[] =
    cards === 0
      ? []
      : [
          { key: 'gpu', lines: ofCards(({ usePercent }) => usePercent), limit: 100, from: 0 },
          {
            key: 'gpuMemory',
            lines: ofCards(({ memoryUsedMb }) => memoryUsedMb && memoryUsedMb / 1024),
            limit: cardMemory || undefined,
            from: 0,
          },
          { key: 'gpuHeat', lines: ofCards(({ celsius }) => celsius), limit: undefined, from: COLDEST },
          { key: 'gpuPower', lines: ofCards(({ watts }) => watts), limit: undefined, from: 0 },
        ]
  const inUnit = (bytes: number | undefined, unit: number) => (bytes === undefined ? undefined : bytes / unit)
  return [
    ...ofGpus,
    { key: 'processor', lines: one(({ cores }) => cores), limit: limits.cores, from: 0 },
    {
      key: 'memory',
      lines: one(({ memoryBytes }) => memoryBytes / MEMORY_GB),
      limit: inUnit(limits.memoryBytes, MEMORY_GB),
      from: 0,
    },
    {
      key: 'disk',
      lines: one(({ diskBytes }) => inUnit(diskBytes, DISK_GB)),
      limit: inUnit(limits.diskBytes, DISK_GB),
      from: 0,
    },
    {
      key: 'network',
      lines: [
        { name: 'received', figureOf: ({ receivedPerSecond }) => receivedPerSecond / MEGABIT_BYTES },
        { name: 'sent', figureOf: ({ sentPerSecond }) => sentPerSecond / MEGABIT_BYTES },
      ],
      limit: undefined,
      from: 0,
    },
    { key: 'processes', lines: one(({ processes }) => processes), limit: undefined, from: 0 },
  ]
}
