import { visibleJson, visibleText } from '@rackfair/rules/text/visibleText'

/** Output channels: data on stdout, everything else on stderr. Text may be untrusted, so all of it is sanitized for the terminal. */
export interface Output {
  json: boolean
  /** The result, as one JSON value or as text. */
  data(value: unknown, text: string): void
  /** A message to the user: what was paid, what is still running. */
  note(text: string): void
  /** The current progress; on a terminal only, on one line that is overwritten. */
  progress(text: string): void
}

export function createOutput({ json }: { json: boolean }): Output {
  const { stdout, stderr } = process
  let hasProgress = false
  const clear = () => {
    if (hasProgress) stderr.write('\r\x1b[K')
    hasProgress = false
  }
  return {
    json,
    data(value, text) {
      clear()
      stdout.write(`${json ? toJson(value) : visibleText(text)}\n`)
    },
    note(text) {
      clear()
      stderr.write(`${visibleText(text)}\n`)
    },
    progress(text) {
      if (stderr.isTTY !== true || json) return
      clear()
      stderr.write(
        visibleText(text)
          .replace(/\s+/g, ' ')
          .slice(0, Math.max(20, (stderr.columns ?? 80) - 1)),
      )
      hasProgress = true
    },
  }
}

/** One line of JSON; amounts are decimal strings. */
export const toJson = (value: unknown): string =>
  visibleJson(JSON.stringify(value, (_key, one: unknown) => (typeof one === 'bigint' ? String(one) : one)))

/** Columns as wide as their widest cell. Cells are sanitized first, which their width depends on. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [head, ...rows].map((row) => row.map((cell) => visibleText(cell).replace(/[\n\t]/g, ' ')))
  const widths = head.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))))
  const pad = (cell: string, column: number) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell))
  return cells.map((row) => row.map(pad).join('  ').trimEnd()).join('\n')
}

const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

const widthOf = (text: string): number => [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0)
