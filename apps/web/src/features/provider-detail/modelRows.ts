import type { NodeWire } from '@rackfair/core/wire'

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
export function modelRows(nodes: readonly NodeWire[]): readonly ModelRow[] {
  const rows = new Map<string, ModelRow>()
  for (const node of nodes.filter((one) => one.exist))
    for (const kind of ['gpu', 'cpu'] as const) {
      const { model, num, priceMon } = node[kind]
      if (num === 0) continue
      const price = BigInt(priceMon)
      const known = rows.get(`${kind}/${model}`)
      rows.set(`${kind}/${model}`, {
        kind,
        model,
        units: (known?.units ?? 0) + num,
        lowWei: known && known.lowWei < price ? known.lowWei : price,
        highWei: known && known.highWei > price ? known.highWei : price,
      })
    }
  return [...rows.values()].sort((a, b) => b.kind.localeCompare(a.kind) || b.units - a.units || a.model.localeCompare(b.model))
}

/** Lowest and highest price of a resource over a provider's nodes, wei per GB and month; undefined where no node has it. */
export function priceSpan(nodes: readonly NodeWire[], resource: 'mem' | 'disk'): { lowWei: bigint; highWei: bigint } | undefined {
  const prices = nodes.filter((node) => node.exist && node[resource].num > 0).map((node) => BigInt(node[resource].priceMon))
  const first = prices[0]
  if (first === undefined) return undefined
  return {
    lowWei: prices.reduce((low, price) => (price < low ? price : low), first),
    highWei: prices.reduce((high, price) => (price > high ? price : high), first),
  }
}
