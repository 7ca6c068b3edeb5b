import type { LogPosition, LogSource } from './LogSource.ts'

/**
 * The last lines of what one start of a program wrote, each with its newline, in order. `from` is where its output begins, or, where nobody
 * noted that, when it was started, in Unix milliseconds.
 */
export async function lastLines(source: LogSource, lines: number, from: LogPosition | { startedAt: number }): Promise<string> {
  const last = await source.before(lines)
  const reader = source.open('startedAt' in from || isBefore(from, last) ? last : from)
  const since = 'startedAt' in from ? from.startedAt * 1000 : 0
  const found: string[] = []
  try {
    do
      for (const { time, bytes, more } of await reader.read())
        if (time >= since) found.push(`${Buffer.from(bytes).toString()}${more ? '' : '\n'}`)
    while (!reader.atEnd)
  } finally {
    await reader.close()
  }
  return found
    .join('')
    .split(/(?<=\n)/)
    .slice(-lines)
    .join('')
}

const isBefore = (a: LogPosition, b: LogPosition): boolean =>
  a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset)
