export interface CommandWords {
  words: string[]
  /** Whether a quote is not closed, or a word stands alone that only a shell understands: `|`, `&&`, `;`, `>`. */
  isBroken: boolean
}

/** What a shell would act on. Inside a word, as in `a=b&c` or `*.log`, it is a character like any other. */
const FOR_A_SHELL = /^(?:[;&|<>]+|\d*[<>]+&?\d*|.*[^\\];)$/

/**
 * Splits a command into words where no shell runs it, as in a compose file: spaces separate, quotes and backslashes join, and everything
 * else, `$`, `*` and `#` too, is what it is.
 *
 * @example commandWords('serve --allow=* "a b"').words // ['serve', '--allow=*', 'a b']
 */
export function commandWords(text: string): CommandWords {
  const words: string[] = []
  let word: string | undefined
  let isQuoted = false
  let isBroken = false
  let at = 0
  const add = (characters: string) => {
    word = (word ?? '') + characters
  }
  const end = () => {
    if (word === undefined) return
    if (!isQuoted && FOR_A_SHELL.test(word)) isBroken = true
    words.push(word)
    word = undefined
    isQuoted = false
  }
  while (at < text.length) {
    const character = text[at] as string
    at += 1
    if (/\s/.test(character)) end()
    else if (character === '\\') {
      const next = text[at]
      if (next === undefined) return { words, isBroken: true }
      at += 1
      if (next === '\n') continue
      isQuoted = true
      add(next)
    } else if (character === "'" || character === '"') {
      isQuoted = true
      add('')
      for (;;) {
        const inner = text[at]
        if (inner === undefined) return { words, isBroken: true }
        at += 1
        if (inner === character) break
        const next = text[at]
        if (inner === '\\' && character === '"' && next !== undefined && /["\\$`\n]/.test(next)) {
          at += 1
          if (next !== '\n') add(next)
        } else add(inner)
      }
    } else add(character)
  }
  end()
  return { words, isBroken }
}

/** Quotes words into one line that `commandWords` parses back, and a shell too. */
export function commandLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}
