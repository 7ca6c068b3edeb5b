import type { Resources } from '../prices/pricing.ts'

/** What hardly any application can do without. */
export const NEEDED_PARTS = ['cpu', 'memory', 'storage'] as const
export type NeededPart = (typeof NEEDED_PARTS)[number]

/**
 * The parts that a node has none of, so that hardly any application runs on it.
 * @example partsLacking({ nCPU: 2, nMEM: 0, nDISK: 100 }) // ['memory']
 */
export function partsLacking({ nCPU, nMEM, nDISK }: Pick<Resources, 'nCPU' | 'nMEM' | 'nDISK'>): NeededPart[] {
  const has = { cpu: nCPU, memory: nMEM, storage: nDISK }
  return NEEDED_PARTS.filter((part) => has[part] === 0)
}
