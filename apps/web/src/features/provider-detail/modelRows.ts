import type { MarketNode } from '@rackfair/rules/node/node'

export interface ModelRow {
  kind: 'gpu' | 'cpu'
  model: string
  /** GPUs or processors on all its nodes. */
  units: number
  /** Per unit and month, wei; the two differ when its nodes do. */
  lowWei: bigint
  highWei: bigint
}

/** What a provider has of each model and for how much, GPUs first, the most of them at the top. */
export function modelRows(nodes: readonly MarketNode[]): readonly ModelRow[] {
  const rows = new Map<string, ModelRow>()
  for (const { gpu, cpu, prices } of nodes.filter((one) => one.exist))
    for (const { kind, model, count, price } of [
      { kind: 'gpu', ...gpu, price: prices.pGPU },
      { kind: 'cpu', ...cpu, price: prices.pCPU },
    ] as const) {
      if (count === 0) continue
      const known = rows.get(`${kind}/${model}`)
      rows.set(`${kind}/${model}`, {
        kind,
        model,
        units: (known?.units ?? 0) + count,
        lowWei: known && known.lowWei < price ? known.lowWei : price,
        highWei: known && known.highWei > price ? known.highWei : price,
      })
    }
  return [...rows.values()].sort((a, b) => b.kind.localeCompare(a.kind) || b.units - a.units || a.model.localeCompare(b.model))
}

/** Lowest and highest price of a resource over a provider's nodes, wei per GB and month; undefined where no node has it. */
export function priceSpan(
  nodes: readonly MarketNode[],
  resource: 'memory' | 'disk',
): { lowWei: bigint; highWei: bigint } | undefined {
  const [size, unit] = resource === 'memory' ? (['memoryGb', 'pMEM'] as const) : (['diskGb', 'pDISK'] as const)
  const prices = nodes.filter((node) => node.exist && node[size] > 0).map((node) => node.prices[unit])
  const first = prices[0]
  if (first === undefined) return undefined
  return {
    lowWei: prices.reduce((low, price) => (price < low ? price : low), first),
    highWei: prices.reduce((high, price) => (price > high ? price : high), first),
  }
}
