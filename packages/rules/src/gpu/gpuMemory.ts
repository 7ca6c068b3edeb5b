import { memoryGbOf, memoryOf, readGpuName } from './gpuName.ts'

/** Possible memory sizes of one GPU of this model in GB, the most common first; empty for an unknown model. */
export const gpuMemoryChoices = (model: string): readonly number[] => memoryOf(readGpuName(model)?.card ?? '')

/**
 * Memory of one GPU in GB: that of the slice, else the size in the name, else the smallest that the card is sold with. Undefined for an
 * unknown card that names none.
 *
 * @example gpuMemoryGb('A100-SXM4-80GB MIG 1g.10gb') // 10
 */
export function gpuMemoryGb(model: string): number | undefined {
  const name = readGpuName(model)
  if (name) return memoryGbOf(name)
  const said = /(?<![\w.])(\d{1,3})\s?gi?b$/i.exec(model.slice(0, 100).trim())?.[1]
  return said === undefined || Number(said) === 0 ? undefined : Number(said)
}
