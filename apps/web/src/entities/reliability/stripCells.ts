const CELL = 3
const GAP = 1
const WEEK_GAP = 2
const DAYS = 90
/** Downtime of less than a tenth of a day is drawn as high, so that it is seen. */
const LEAST_CUT = 0.42

/** Small ones have no room for gaps: a gap of a part of a pixel comes and goes. */
const xOf = (day: number, small: boolean) => (small ? day * CELL : day * (CELL + GAP) + Math.floor(day / 7) * WEEK_GAP)
export const stripWidth = (small: boolean) => xOf(DAYS - 1, small) + CELL

export type CellKind = 'up' | 'short' | 'long' | 'unseen'

/**
 * The cells of a strip as one SVG path a kind. What was down for half a day or more is `long`.
 * @example stripCells('-'.repeat(90), 24).up // ''
 */
export function stripCells(strip: string, height: number, small = false): Record<CellKind, string> {
  const paths: Record<CellKind, string> = { up: '', short: '', long: '', unseen: '' }
  for (const [day, character] of [...strip].entries()) {
    const x = xOf(day, small)
    const rect = (y: number, high: number) => `M${x} ${y}h${CELL}v${high}h${-CELL}z`
    if (character === '-') {
      paths.unseen += rect(height - 1, 1)
      continue
    }
    const down = Number(character) / 10
    const cut = down === 0 ? 0 : Math.round(height * Math.max(LEAST_CUT, Math.min(1, down)))
    if (cut > 0) paths[down < 0.5 ? 'short' : 'long'] += rect(0, cut)
    if (cut < height) paths.up += rect(cut, height - cut)
  }
  return paths
}
