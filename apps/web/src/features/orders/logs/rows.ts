import type { ShownLine } from './LogLines.ts'

/** How lines lie in rows of one height, so that any row is found without measuring. A place is a line's number among those shown. */
export interface Rows {
  /** The line at a place. */
  lineAt: (place: number) => ShownLine | undefined
  /** The row at which the line at each place begins, and at the end the number of rows. Undefined: a row a line. */
  starts: Uint32Array | undefined
  count: number
}

/** Columns that a character takes in a fixed-width font: East Asian wide ones take two. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u

/** Cuts a text into rows of so many columns. An empty text is one row. */
export function cutRows(text: string, columns: number): string[] {
  if (!WIDE.test(text)) {
    if (text.length <= columns) return [text]
    return Array.from({ length: Math.ceil(text.length / columns) }, (_, row) => text.slice(row * columns, (row + 1) * columns))
  }
  const rows: string[] = []
  let row = ''
  let used = 0
  for (const character of text) {
    const width = WIDE.test(character) ? 2 : 1
    if (used + width > columns && row !== '') {
      rows.push(row)
      row = ''
      used = 0
    }
    row += character
    used += width
  }
  rows.push(row)
  return rows
}

/** Lays lines out in rows: those with `ids`, or all; wrapped at `columns`, or a row each where it is undefined. */
export function layRows(lines: readonly ShownLine[], ids: readonly number[] | undefined, columns: number | undefined): Rows {
  const first = lines[0]?.id ?? 0
  const places = ids?.length ?? lines.length
  const lineAt = (place: number) => lines[ids ? (ids[place] ?? -1) - first : place]
  if (columns === undefined) return { lineAt, starts: undefined, count: places }
  const starts = new Uint32Array(places + 1)
  for (let place = 0; place < places; place += 1) {
    const text = lineAt(place)?.text ?? ''
    const rows = text.length * 2 <= columns ? 1 : cutRows(text, columns).length
    starts[place + 1] = (starts[place] as number) + rows
  }
  return { lineAt, starts, count: starts[places] as number }
}

/** The place of the line that a row belongs to. */
export function placeOfRow({ starts }: Rows, row: number): number {
  if (!starts) return row
  let low = 0
  let high = starts.length - 2
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((starts[middle] as number) <= row) low = middle
    else high = middle - 1
  }
  return Math.max(0, low)
}

/** The first place whose line has this id, or a later one. */
export function placeOfId({ lineAt, starts, count }: Rows, id: number): number {
  let low = 0
  let high = starts ? starts.length - 1 : count
  while (low < high) {
    const middle = (low + high) >> 1
    if ((lineAt(middle)?.id ?? Number.POSITIVE_INFINITY) < id) low = middle + 1
    else high = middle
  }
  return low
}

/** The row at which the line at a place begins. */
export const rowOfPlace = ({ starts }: Rows, place: number): number => (starts ? (starts[place] ?? 0) : place)
