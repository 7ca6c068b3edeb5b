/**
 * Whether a text is one line that can be shown anywhere: no line break, NUL or other control character, C0 or C1, which terminals and logs
 * interpret, and no lone surrogate, which hashing and storing would replace.
 */
export function isPlainValue(value: string): boolean {
  return !/[\p{Cc}\p{Cs}]/u.test(value)
}

/**
 * Whether a text may be the value of a variable or a word of a command, as scripts, keys and certificates are: like a plain value, in
 * several lines and with tabs. A carriage return stands only before a line feed.
 */
export const isPlainText = (value: string): boolean => isPlainValue(value.replace(/\r?\n|\t/g, ''))
