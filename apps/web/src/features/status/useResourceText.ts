import { useFormat } from '../../i18n/useFormat.ts'
import type { Drawn } from './seriesOf.ts'

/** Writes an amount of a resource with its unit: pieces, or GB and TB. */
export function useResourceText(): (resource: Drawn, amount: number, digits?: number) => string {
  const format = useFormat()
  return (resource, amount, digits = 0) =>
    resource === 'memory' || resource === 'storage' ? format.gigabytes(amount) : format.number(amount, digits)
}
