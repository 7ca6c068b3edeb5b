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

/** What all of these together take beyond what the machine has, one sentence for each kind; empty when it holds them. */
export function soldBeyond(shares: readonly Share[], machine: Hardware, { oversell, overcommitDisk }: SoldOptions): string[] {
  if (oversell) return []
  const sum = (of: (one: Share) => number) => shares.reduce((total, one) => total + of(one), 0)
  const beyond: string[] = []
  const compare = (what: string, taken: number, there: number, unit = '') => {
    if (taken > there) beyond.push(`${what}: ${taken}${unit} of ${there}${unit}`)
  }
  compare(
    'processor cores',
    sum((one) => one.nCPU * one.core),
    machine.cpu.processors * machine.cpu.coresPerProcessor,
  )
  compare(
    'memory',
    sum((one) => one.nMEM),
    machine.memoryGb,
    ' GB',
  )
  if (!overcommitDisk)
    compare(
      'disk',
      sum((one) => one.nDISK),
      machine.diskMostGb,
      ' GB',
    )
  const here = (model: string) => machine.gpus.filter((one) => one.model === model).length
  // A provider may call its GPUs otherwise than they do themselves.
  for (const model of new Set(shares.filter((one) => one.nGPU > 0).map((one) => one.gpuModel)))
    if (here(model) > 0)
      compare(
        model,
        sum((one) => (one.gpuModel === model ? one.nGPU : 0)),
        here(model),
      )
  compare(
    'GPUs',
    sum((one) => one.nGPU),
    machine.gpus.length,
  )
  return beyond
}
