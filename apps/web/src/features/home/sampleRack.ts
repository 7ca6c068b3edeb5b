import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { RackSlot } from '@rackfair/sdk/http'
import { SAMPLE_GLOBAL } from '../../entities/network/sampleGlobal.ts'

const NOBODY = '0x0000000000000000000000000000000000000000' as LowerCaseAddress

/** Machines for the rack while the platform is unreachable: as many, and as many sold, as the sample figures say. */
export const SAMPLE_RACK: readonly RackSlot[] = Array.from({ length: SAMPLE_GLOBAL.nodes.listed }, (_, index) => ({
  provider: NOBODY,
  nodeId: index + 1,
  name: '',
  gpu: { model: '', count: 1 + ((index * 7) % 5) },
  cpu: { model: '', count: 1 },
  memoryGb: 0,
  diskGb: 0,
  state: (index * 37) % SAMPLE_GLOBAL.nodes.listed < SAMPLE_GLOBAL.nodes.sold ? 'running' : 'idle',
  ratePerMonthWei: 0n,
  unitRateWei: 0n,
  medianUnitRateWei: null,
  sample: false,
}))
