import type { RackSlot } from '@rackfair/core/wire'
import { SAMPLE_GLOBAL } from '../../lib/sampleGlobal.ts'

/** Machines for the drawing while the platform is away: as many, and as many of them sold, as the sample figures say. */
export const SAMPLE_RACK: readonly RackSlot[] = Array.from({ length: SAMPLE_GLOBAL.nodeGlobal }, (_, index) => ({
  cp: '0x0000000000000000000000000000000000000000',
  id: index + 1,
  nodename: '',
  gpu: '',
  nGPU: 1 + ((index * 7) % 5),
  cpu: '',
  nCPU: 1,
  mem: 0,
  disk: 0,
  state: (index * 37) % SAMPLE_GLOBAL.nodeGlobal < SAMPLE_GLOBAL.nodeUsed ? 'running' : 'idle',
  ratePerMonth: '0',
  unitRate: '0',
  medianUnitRate: null,
}))
