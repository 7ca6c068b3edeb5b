import { MAX_MODELS_LISTED, type NodeWire, type PricesAnswer } from '@rackfair/core/wire'
import { medianOf } from './medianOf.ts'

type ModelPrice = PricesAnswer['models'][number]

/**
 * The price per unit and month of the models on offer, the `MAX_MODELS_LISTED` most offered of each kind. Memory and storage have no model.
 */
export function modelPrices(nodes: readonly NodeWire[]): ModelPrice[] {
  const kinds = [
    { kind: 'gpu', part: (node: NodeWire) => node.gpu, model: (node: NodeWire) => node.gpu.model },
    { kind: 'cpu', part: (node: NodeWire) => node.cpu, model: (node: NodeWire) => node.cpu.model },
    { kind: 'mem', part: (node: NodeWire) => node.mem, model: () => '' },
    { kind: 'disk', part: (node: NodeWire) => node.disk, model: () => '' },
  ] as const
  return kinds.flatMap(({ kind, part, model }) => {
    const offering = nodes.filter((node) => part(node).num > 0)
    const models = [...Map.groupBy(offering, model)].sort(([, a], [, b]) => b.length - a.length)
    return models.slice(0, MAX_MODELS_LISTED).map(([name, group]): ModelPrice => {
      const units = group.map((node) => BigInt(part(node).priceMon))
      const idle = group.filter((node) => !node.sold && node.online).map((node) => BigInt(node.ratePerMonth))
      return {
        kind,
        model: name,
        nodes: group.length,
        minUnit: String(smallest(units) ?? 0n),
        medianUnit: String(medianOf(units) ?? 0n),
        cheapestIdleRate: idle.length > 0 ? String(smallest(idle)) : null,
      }
    })
  })
}

function smallest(amounts: readonly bigint[]): bigint | undefined {
  return amounts.reduce<bigint | undefined>(
    (least, amount) => (least === undefined || amount < least ? amount : least),
    undefined,
  )
}
