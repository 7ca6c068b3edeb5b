import { type LogLine, visibleText } from '@rackfair/core'

/** Formats a line of a log. Its bytes are untrusted: unless raw output is requested, they are sanitized for the terminal. */
export function logLine(
  line: Pick<LogLine, 'time' | 'bytes' | 'more'>,
  options: { time?: boolean; raw?: boolean },
): Uint8Array | string {
  const stamp = options.time ? `${new Date(line.time / 1000).toISOString()} ` : ''
  const end = line.more ? '' : '\n'
  if (options.raw) return Buffer.concat([Buffer.from(stamp), line.bytes, Buffer.from(end)])
  return `${stamp}${visibleText(new TextDecoder().decode(line.bytes).replace(/\r$/, ''))}${end}`
}
