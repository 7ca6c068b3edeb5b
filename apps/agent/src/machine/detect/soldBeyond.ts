import { beyondMachine, type MachineSize } from '@rackfair/rules/node/beyondMachine'
import type { Hardware } from './detectHardware.ts'

/** The resources that a node or an order takes from a machine. */
export interface Share {
  nCPU: number
  core: number
  nGPU: number
  gpuModel: string
  nMEM: number
  nDISK: number
}

export interface SoldOptions {
  /** The provider explicitly allows selling more than the machine has. */
  oversell: boolean
  /** The same, for the disk alone. */
  overcommitDisk: boolean
}

const NAMES = { cpu: 'processor cores', memory: 'memory', storage: 'disk', gpu: 'GPUs' }
const UNITS = { cpu: '', memory: ' GB', storage: ' GB', gpu: '' }

/** The machine's sellable resources. */
export const machineSize = ({ cpu, memoryGb, diskMostGb, gpus }: Hardware): MachineSize => ({
  cores: cpu.processors * cpu.coresPerProcessor,
  ...{ memoryGb, diskGb: diskMostGb, gpus: gpus.length },
})

/** What these shares together take beyond the machine's resources, one sentence per resource; empty if everything fits. */
export function soldBeyond(shares: readonly Share[], machine: Hardware, { oversell, overcommitDisk }: SoldOptions): string[] {
  if (oversell) return []
  const parts = beyondMachine(shares, machineSize(machine))
    .filter(({ part }) => part !== 'storage' || !overcommitDisk)
    .map(({ part, offered, there }) => `${NAMES[part]}: ${offered}${UNITS[part]} of ${there}${UNITS[part]}`)
  // A provider may list its GPUs under a name other than the driver's.
  const models = new Set(shares.filter((one) => one.nGPU > 0).map((one) => one.gpuModel))
  const short = [...models].flatMap((model) => {
    const there = machine.gpus.filter((one) => one.model === model).length
    const offered = shares.reduce((total, one) => total + (one.gpuModel === model ? one.nGPU : 0), 0)
    return there > 0 && offered > there ? [`${model}: ${offered} of ${there}`] : []
  })
  return [...parts, ...short]
}
