/** A text without these words, each of which may be several. */
export function withoutWords(text: string, words: readonly string[]): string {
  return words.reduce((left, word) => ` ${left} `.replace(` ${word} `, ' ').trim(), text.replace(/\s+/g, ' '))
}
