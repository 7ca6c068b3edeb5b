import { freemem } from 'node:os'
import { gpuMemoryGb } from '@rackfair/rules/gpu/gpuMemory'
import type { AgentConfig } from '../../config/agentConfig.ts'
import { detectHardware, type Hardware } from './detectHardware.ts'

/** The hardware an agent offers: detected, or simulated by its configuration. `folder` is on the disk that orders will use. */
export async function machineHardware(
  { sampleHardware }: Pick<AgentConfig, 'sampleHardware'>,
  folder: string,
): Promise<Hardware> {
  if (!sampleHardware) return detectHardware(folder)
  const { cpu, memoryGb, diskGb, gpus, driver } = sampleHardware
  const model = gpus?.model ?? ''
  return {
    ...{ cpu, memoryGb, diskGb, diskMostGb: diskGb, architecture: process.arch, freeMemoryBytes: freemem() },
    ...(driver === undefined ? {} : { driver }),
    gpus: Array.from({ length: gpus?.count ?? 0 }, (_, index) => {
      const id = `sample:${index}`
      return { id, vendor: 'sample', model, memoryMb: (gpuMemoryGb(model) ?? 0) * 1024, device: String(index), card: id }
    }),
  }
}
