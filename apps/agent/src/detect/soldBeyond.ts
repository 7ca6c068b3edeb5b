import { beyondMachine, type MachineSize } from '@rackfair/core'
import type { Hardware } from './detectHardware.ts'

/** What a node or an order takes of a machine. */
export interface Share {
  nCPU: number
  core: number
  nGPU: number
  gpuModel: string
  nMEM: number
  nDISK: number
}

export interface SoldOptions {
  /** The operator's own word: more than the machine has may be sold. */
  oversell: boolean
  /** The same, of the disk alone. */
  overcommitDisk: boolean
}

const NAMES = { cpu: 'processor cores', memory: 'memory', storage: 'disk', gpu: 'GPUs' }
const UNITS = { cpu: '', memory: ' GB', storage: ' GB', gpu: '' }

/** What the machine has that can be sold. */
export const machineSize = ({ cpu, memoryGb, diskMostGb, gpus }: Hardware): MachineSize => ({
  cores: cpu.processors * cpu.coresPerProcessor,
  ...{ memoryGb, diskGb: diskMostGb, gpus: gpus.length },
})

/** What all of these together take beyond what the machine has, one sentence for each kind; empty when it holds them. */
export function soldBeyond(shares: readonly Share[], machine: Hardware, { oversell, overcommitDisk }: SoldOptions): string[] {
  if (oversell) return []
  const parts = beyondMachine(shares, machineSize(machine))
    .filter(({ part }) => part !== 'storage' || !overcommitDisk)
    .map(({ part, offered, there }) => `${NAMES[part]}: ${offered}${UNITS[part]} of ${there}${UNITS[part]}`)
  // A provider may call its GPUs otherwise than they do themselves.
  const models = new Set(shares.filter((one) => one.nGPU > 0).map((one) => one.gpuModel))
  const short = [...models].flatMap((model) => {
    const there = machine.gpus.filter((one) => one.model === model).length
    const offered = shares.reduce((total, one) => total + (one.gpuModel === model ? one.nGPU : 0), 0)
    return there > 0 && offered > there ? [`${model}: ${offered} of ${there}`] : []
  })
  return [...parts, ...short]
}
