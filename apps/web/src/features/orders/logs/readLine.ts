import { outputLine } from '@rackfair/rules/text/outputLine'

export type LogLevel = 'info' | 'warn' | 'fail'

/** Characters of a line that are kept for the screen. The download has all of them. */
export const MAX_SHOWN_CHARACTERS = 4000

/** What would be invisible or turn the line around. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const decoder = new TextDecoder()

/**
 * What a line of an application's output shows: text that does nothing. Escape sequences are taken out, of a progress bar only its last
 * state stays, every other control or formatting character becomes a visible mark, bytes that are no UTF-8 become `�`.
 *
 * @example
 * readLine(new TextEncoder().encode('\u001b[31mfailed\u001b[0m')) // 'failed'
 */
export function readLine(bytes: Uint8Array): string {
  const shown = outputLine(decoder.decode(bytes.subarray(0, MAX_SHOWN_CHARACTERS * 4))).replaceAll('\t', '    ')
  return shown.replace(HIDDEN, '·').slice(0, MAX_SHOWN_CHARACTERS)
}

/** A word by itself, as loggers write levels: `[error]`, `"level":"error"`, `ERROR:`; no part of a path or of another word. */
const word = (words: string) => new RegExp(`(?:^|[\\s[("'=:|<])(?:${words})(?=[\\s\\])"':,|>!]|$)`, 'i')
const FAIL = word('fatal|panic|critical|crit|emerg|alert|error|err|fail|failed|exception|traceback|segfault')
/** The name of what was thrown. */
const THROWN = /^\w*(?:Error|Exception)(?::|$)/
const WARN = word('warn|warning|deprecated')
const PLAIN = word('info|debug|trace|notice')
/** Frames of a stack and other lines that belong to the one before. */
const GOES_ON = /^(?:\s+\S|at |Caused by|\.\.\. \d+ more|During handling of)/

/** What browsers ask for by themselves: a site without it is none the worse. */
const ASKED_UNASKED = /\/(?:favicon\.ico|apple-touch-icon[\w-]*\.png|robots\.txt)(?![\w.])/

/** How far into a line its level is looked for: beyond, the words are the message's own. */
const LEVEL_CHARACTERS = 60

/** How grave a line is, by the words at its beginning. An indented line is as grave as the one before it. */
export function levelOf(text: string, before: LogLevel): LogLevel {
  if (GOES_ON.test(text)) return before
  const start = text.slice(0, LEVEL_CHARACTERS)
  if (ASKED_UNASKED.test(text)) return 'info'
  if (PLAIN.test(start)) return 'info'
  if (FAIL.test(start) || THROWN.test(start) || /^E\d{4} /.test(start)) return 'fail'
  return WARN.test(start) || /^W\d{4} /.test(start) ? 'warn' : 'info'
}
