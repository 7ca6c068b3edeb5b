import { MAX_MODELS_LISTED, type NodeWire, type PricesAnswer } from '@rackfair/protocol/nodes'
import { medianOf } from '@rackfair/rules/prices/median'
import { isOnOffer } from './isOnOffer.ts'
import { type Model, modelOf } from './models.ts'

type ModelPrice = PricesAnswer['models'][number]

const NO_MODEL: Pick<Model, 'key' | 'label'> = { key: '', label: '' }

/**
 * The price per unit and month of the models that can be bought now, the `MAX_MODELS_LISTED` most offered of each kind. Memory and storage
 * have no model.
 */
export function modelPrices(nodes: readonly NodeWire[]): ModelPrice[] {
  const kinds = [
    { kind: 'gpu', part: (node: NodeWire) => node.gpu, model: (node: NodeWire) => modelOf('gpu', node.gpu.model) },
    { kind: 'cpu', part: (node: NodeWire) => node.cpu, model: (node: NodeWire) => modelOf('cpu', node.cpu.model) },
    { kind: 'mem', part: (node: NodeWire) => node.mem, model: () => NO_MODEL },
    { kind: 'disk', part: (node: NodeWire) => node.disk, model: () => NO_MODEL },
  ] as const
  const offered = nodes.filter(isOnOffer)
  return kinds.flatMap(({ kind, part, model }) => {
    const offering = offered.filter((node) => part(node).num > 0)
    const models = [...Map.groupBy(offering, (node) => model(node).key).values()].sort((a, b) => b.length - a.length)
    return models.slice(0, MAX_MODELS_LISTED).map((group): ModelPrice => {
      const units = group.map((node) => BigInt(part(node).priceMon))
      return {
        kind,
        model: model(group[0] as NodeWire).label,
        nodes: group.length,
        minUnit: String(smallest(units) ?? 0n),
        medianUnit: String(medianOf(units) ?? 0n),
        cheapestIdleRate: String(smallest(group.map((node) => BigInt(node.ratePerMonth))) ?? 0n),
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
