import type { NodeFields } from '@rackfair/core'

/** What a machine that has a CPU or a GPU lacks so that nothing can run on it. Fields that nobody has filled in yet are not judged. */
export function missingParts(fields: NodeFields): 'memory' | 'storage' | 'both' | undefined {
  const has = (text: string) => Number(text) > 0
  if (!has(fields.nGPU) && !(has(fields.nCPU) && has(fields.core))) return undefined
  const memory = isZero(fields.memGb)
  const storage = isZero(fields.diskTb)
  return memory && storage ? 'both' : memory ? 'memory' : storage ? 'storage' : undefined
}

const isZero = (text: string) => text.trim() !== '' && Number(text) === 0
