import { type LogLine, visibleText } from '@rackfair/core'

/** What is written for a line of a log. Its bytes are a stranger's: unless they are wanted raw, nothing of them acts on the terminal. */
export function logLine(
  line: Pick<LogLine, 'time' | 'bytes' | 'more'>,
  options: { time?: boolean; raw?: boolean },
): Uint8Array | string {
  const stamp = options.time ? `${new Date(line.time / 1000).toISOString()} ` : ''
  const end = line.more ? '' : '\n'
  if (options.raw) return Buffer.concat([Buffer.from(stamp), line.bytes, Buffer.from(end)])
  return `${stamp}${visibleText(new TextDecoder().decode(line.bytes).replace(/\r$/, ''))}${end}`
}
