import type { Format } from '../../../i18n/format.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes in the largest unit that leaves a whole figure. @example fileSize(format, 1_500_000) // '1.5 MB' */
export function fileSize(format: Format, bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  const figure = power === 0 || value >= 100 ? format.number(Math.round(value)) : format.number(value, 1)
  return `${figure} ${UNITS[power]}`
}
