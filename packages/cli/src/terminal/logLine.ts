import type { LogLine } from '@rackfair/protocol/logLines'
import { outputLine } from '@rackfair/rules/text/outputLine'
import { visibleText } from '@rackfair/rules/text/visibleText'

/**
 * Formats a line of a log as the web does, unless raw output is requested: without escape sequences, and of a progress bar its last state.
 * `prefix` stands before it as it is. Its bytes are untrusted, so other control characters are escaped.
 */
export function logLine(
  line: Pick<LogLine, 'time' | 'bytes' | 'more'>,
  options: { time?: boolean; raw?: boolean; prefix?: string },
): Uint8Array | string {
  const stamp = `${options.prefix ?? ''}${options.time ? `${new Date(line.time / 1000).toISOString()} ` : ''}`
  const end = line.more ? '' : '\n'
  if (options.raw) return Buffer.concat([Buffer.from(stamp), line.bytes, Buffer.from(end)])
  return `${stamp}${visibleText(outputLine(new TextDecoder().decode(line.bytes)))}${end}`
}
