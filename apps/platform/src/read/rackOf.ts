import type { NodeWire, RackSlotWire } from '@rackfair/protocol/nodes'
import type { SearchIndex } from './SearchIndex.ts'

const MAX_SLOTS = 1_000

/** One short row per node for the home page: idle and running ones first. */
export function rackOf(index: SearchIndex): RackSlotWire[] {
  const slots = index.entries.map((entry): RackSlotWire => slotOf(entry.node, index.unitRatesOf(entry)))
  const live = slots.filter((slot) => slot.state !== 'offline')
  return [...live, ...slots.filter((slot) => slot.state === 'offline')].slice(0, MAX_SLOTS)
}

function slotOf(node: NodeWire, unitRates: Pick<RackSlotWire, 'unitRate' | 'medianUnitRate'>): RackSlotWire {
  return {
    cp: node.cp,
    id: node.id,
    nodename: node.nodename,
    gpu: node.gpu.model,
    nGPU: node.gpu.num,
    cpu: node.cpu.model,
    nCPU: node.cpu.num,
    mem: node.mem.num,
    disk: node.disk.num,
    state: node.sold ? 'running' : node.online ? 'idle' : 'offline',
    ratePerMonth: node.ratePerMonth,
    ...unitRates,
    ...(node.sample ? { sample: node.sample } : {}),
  }
}
