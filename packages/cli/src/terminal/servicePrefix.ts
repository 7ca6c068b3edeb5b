import { visibleText } from '@rackfair/rules/text/visibleText'

/** ANSI colours that can be told apart and mean nothing, as red and yellow do. */
const COLOURS = [36, 35, 34, 32, 96, 95, 94, 92]

/**
 * What stands before the lines of each of several services: its name, padded to the longest, in a colour of its own on a terminal. The
 * machine's own lines have blanks.
 *
 * @example servicePrefix(['web', 'db'], { isColoured: false })('db') // 'db  | '
 */
export function servicePrefix(services: readonly string[], { isColoured }: { isColoured: boolean }) {
  const names = services.map(visibleText)
  const width = Math.max(...names.map((name) => name.length))
  return (service: string | undefined): string => {
    const at = service === undefined ? -1 : services.indexOf(service)
    const text = `${(names[at] ?? '').padEnd(width)} | `
    return isColoured && at >= 0 ? `\x1b[${COLOURS[at % COLOURS.length]}m${text}\x1b[0m` : text
  }
}
