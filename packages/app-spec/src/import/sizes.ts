const UNITS = ['', 'k', 'm', 'g', 't'] as const

/**
 * Bytes as a text says them: `64m`, `1.5 GiB`, `2147483648`; undefined for another text. `thousands` is what `G` counts in: 1,024 to Docker
 * and compose, 1,000 to Kubernetes, where `Gi` counts in 1,024.
 *
 * @example readSize('1g', 1024) // 1073741824
 */
export function readSize(text: string, thousands: 1000 | 1024): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,6})?) ?([kmgt]?)(i?)b?$/i.exec(text.trim())
  if (!match) return undefined
  const [, number, unit = '', binary] = match
  return Math.floor(Number(number) * (binary ? 1024 : thousands) ** UNITS.indexOf(unit.toLowerCase() as (typeof UNITS)[number]))
}

/** Bytes as short as they can be written for `readSize`: `2Gi`, `1500Mi`. */
export function sizeText(bytes: number): string {
  for (const [suffix, factor] of Object.entries({ Ti: 2 ** 40, Gi: 2 ** 30, Mi: 2 ** 20, Ki: 2 ** 10 }))
    if (bytes % factor === 0) return `${bytes / factor}${suffix}`
  return String(bytes)
}
