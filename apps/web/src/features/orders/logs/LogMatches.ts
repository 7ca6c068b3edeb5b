import type { LogLines, ShownLine } from './LogLines.ts'

/** The ids of matching lines, updated incrementally as the log grows: each line is tested once. */
export class LogMatches {
  ids: number[] = []
  private next = 0
  private readonly fits: (line: ShownLine) => boolean

  constructor(fits: (line: ShownLine) => boolean) {
    this.fits = fits
  }

  /** Looks at what has come since, and forgets what was dropped. The same array while nothing has changed. */
  update({ lines }: LogLines): number[] {
    const first = lines[0]?.id ?? this.next
    const found: number[] = []
    for (let at = Math.max(0, this.next - first); at < lines.length; at += 1) {
      const line = lines[at] as ShownLine
      if (this.fits(line)) found.push(line.id)
    }
    this.next = first + lines.length
    const gone = this.ids.findIndex((id) => id >= first)
    const isOld = this.ids.length > 0 && gone !== 0
    if (found.length > 0 || isOld) this.ids = [...(isOld ? (gone < 0 ? [] : this.ids.slice(gone)) : this.ids), ...found]
    return this.ids
  }
}

/** A line that contains what is looked for, capitals or not. */
export function contains(query: string): (line: ShownLine) => boolean {
  const wanted = query.toLowerCase()
  return ({ text }) => text.toLowerCase().includes(wanted)
}
