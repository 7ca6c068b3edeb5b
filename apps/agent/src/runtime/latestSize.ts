import type { TerminalStream } from './Runtime.ts'

/** Gives a terminal one size at a time, and of those that were asked for meanwhile only the last: each is a request to the engine. */
export function createResizer(terminal: Pick<TerminalStream, 'resize'>): (columns: number, rows: number) => Promise<void> {
  let wanted: [number, number] | undefined
  let isResizing = false
  return async (columns, rows) => {
    wanted = [columns, rows]
    if (isResizing) return
    isResizing = true
    while (wanted) {
      const next: [number, number] = wanted
      wanted = undefined
      await terminal.resize(...next).catch(() => {})
    }
    isResizing = false
  }
}
