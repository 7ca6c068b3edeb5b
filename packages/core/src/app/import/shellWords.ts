export interface ShellWord {
  /** Without quotes; variables are left as written. */
  text: string
  /** The variables in it, by name: the user's shell would have expanded them. */
  variables: string[]
  line: number
}

export interface ShellReading {
  words: ShellWord[]
  /** The line at which the text stops being one plain command: a pipe, a second command, an unterminated quote. */
  brokenAt?: number
}

/**
 * Splits one command into words as a POSIX shell does. Stops at anything that would make a shell do more than start one program. Where no
 * shell runs, as in a compose file, nothing expands a variable: a dollar sign is a character like any other.
 */
export function shellWords(text: string, { expands = true } = {}): ShellReading {
  const words: ShellWord[] = []
  let word: ShellWord | undefined
  let line = 1
  let at = 0
  const current = (): ShellWord => {
    word ??= { text: '', variables: [], line }
    return word
  }
  const end = () => {
    if (word) words.push(word)
    word = undefined
  }
  const broken = (): ShellReading => ({ words, brokenAt: line })
  /** Parses a variable at a dollar sign; false for an expansion that only a shell can evaluate. */
  const variable = (): boolean => {
    const match = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})/.exec(text.slice(at, at + 140))
    if (!match) return false
    current().text += match[0]
    current().variables.push(match[1] ?? match[2] ?? '')
    at += match[0].length
    return true
  }

  while (at < text.length) {
    const character = text[at] as string
    if (character === '\\') {
      const next = text.slice(at + 1).startsWith('\r\n') ? '\r\n' : text[at + 1]
      if (next === undefined) return broken()
      if (next === '\n' || next === '\r\n') line += 1
      else current().text += next
      at += 1 + next.length
    } else if (character === "'") {
      const close = text.indexOf("'", at + 1)
      if (close < 0) return broken()
      const inside = text.slice(at + 1, close)
      current().text += inside
      line += inside.split('\n').length - 1
      at = close + 1
    } else if (character === '"') {
      current()
      at += 1
      while (text[at] !== '"') {
        const inner = text[at]
        if (inner === undefined || inner === '`') return broken()
        if (inner === '$' && expands) {
          if (!variable()) return broken()
          continue
        }
        if (inner === '\\' && /["\\$`\n]/.test(text[at + 1] ?? '')) {
          if (text[at + 1] !== '\n') current().text += text[at + 1]
          else line += 1
          at += 2
          continue
        }
        if (inner === '\n') line += 1
        current().text += inner
        at += 1
      }
      at += 1
    } else if (character === '$' && expands) {
      if (!variable()) return broken()
    } else if (character === ' ' || character === '\t' || character === '\r') {
      end()
      at += 1
    } else if (character === '\n') {
      end()
      // Only empty lines and comments may follow, no other command.
      if (words.length > 0 && /^(?:\s|#[^\n]*\n?)*$/.test(text.slice(at))) return { words }
      if (words.length > 0) {
        line += 1
        return broken()
      }
      line += 1
      at += 1
    } else if (character === '#' && !word) {
      const next = text.indexOf('\n', at)
      at = next < 0 ? text.length : next
    } else if ('`;|&<>()*?[]{}~!'.includes(character) && (character !== '~' || !word) && isShells(character, word)) {
      return broken()
    } else {
      current().text += character
      at += 1
    }
  }
  end()
  return { words }
}

/** Inside a word, braces, brackets and exclamation marks are common and harmless unless they form a pattern. */
function isShells(character: string, word: ShellWord | undefined): boolean {
  return !('{}[]!'.includes(character) && word !== undefined)
}

/** Quotes words into one line that `shellWords` parses back. */
export function shellLine(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ')
}
