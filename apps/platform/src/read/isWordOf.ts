const SHORT = 3

/** Whether a text has a word, both in lower case; one of two letters only as a whole, since it is part of too many others. */
export function isWordOf(text: string, word: string): boolean {
  if (word.length >= SHORT || /[^a-z\d]/.test(word)) return text.includes(word)
  return text.split(/[^\p{L}\d]+/u).includes(word)
}
