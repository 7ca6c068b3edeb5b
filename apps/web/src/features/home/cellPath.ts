/** The drawing's own units. */
export const CELLS_WIDTH = 120
export const CELLS_HEIGHT = 40
const GAP = 2
/** More would be too small to see: a cell stands for several units then. */
const MAX_CELLS = 36

/** Of how many cells a count is drawn, and what one of them stands for. */
export function cellsOf(count: number): { cells: number; each: number } {
  const each = Math.max(1, Math.ceil(count / MAX_CELLS))
  return { cells: Math.ceil(count / each), each }
}

/** Cells of a count in rows from the left, as one path; they keep inside of the drawing whatever the count. */
export function cellPath(count: number, rows: number): string {
  const { cells } = cellsOf(count)
  if (cells === 0) return ''
  const columns = Math.ceil(cells / rows)
  const width = Math.min(CELLS_HEIGHT, (CELLS_WIDTH - GAP * (columns - 1)) / Math.max(columns, 12 / rows))
  const height = (CELLS_HEIGHT - GAP * (rows - 1)) / rows
  return Array.from({ length: cells }, (_, index) => {
    const x = (index % columns) * (width + GAP)
    const y = Math.floor(index / columns) * (height + GAP)
    return `M${x.toFixed(1)} ${y.toFixed(1)}h${width.toFixed(1)}v${height.toFixed(1)}h-${width.toFixed(1)}z`
  }).join('')
}
