import { readPresets } from '@rackfair/protocol/presets'
import { presetFit } from '@rackfair/rules/node/fit'
import type { Hardware } from '../machine/detect/detectHardware.ts'
import type { Preset } from '../presets/loadCatalog.ts'

/** The applications that some node of this hardware can be large enough for, with the GPUs of one model; those with ports if it has any to map. */
export function presetsFor<P extends Pick<Preset, 'wire'>>(
  presets: readonly P[],
  { cpu, memoryGb, diskMostGb, gpus }: Pick<Hardware, 'cpu' | 'memoryGb' | 'diskMostGb' | 'gpus'>,
  hasPorts: boolean,
): P[] {
  const base = { nCPU: cpu.processors, core: cpu.coresPerProcessor, nMEM: memoryGb, nDISK: diskMostGb }
  const machines = [...new Set(['', ...gpus.map(({ model }) => model)])].map((gpuModel) => ({
    ...{ ...base, gpuModel },
    nGPU: gpus.filter(({ model }) => model === gpuModel).length,
  }))
  return presets.filter(
    ({ wire }) =>
      (hasPorts || wire.ports.length === 0) &&
      readPresets([wire]).every((needs) => machines.some((machine) => presetFit(needs, machine).lacks.length === 0)),
  )
}
