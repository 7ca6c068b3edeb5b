import { unknownValue } from './unknownValue.ts'

export interface ShellWord {
  /** Without quotes, with variables filled in; what only the user's machine knows is an unknown value. */
  text: string
  line: number
  /** Whether a shell might make several words of it, or none: an unquoted word of nothing but an unknown value. */
  isOpen: boolean
}

export interface ShellCommand {
  /** With assignments before it taken off. */
  words: ShellWord[]
  line: number
  /** What stands behind it: a new line counts as `;`. Undefined at the end of the text. */
  operator?: string
  operatorLine?: number
}

export interface ShellReading {
  commands: ShellCommand[]
  /** The line of a quote or substitution that is not closed. */
  brokenAt?: number
}

const OPERATOR = /^(?:&&|\|\||;;|&>>?|\d*>>?(?:&\d*|\|)?|\d*<<?<?(?:&\d*)?|[;|&()])/
const DECLARATION = /^(?:export|declare|readonly|local)$/
const VARIABLE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\}|\{([A-Za-z_]\w*):?[-=]([^${}"'`]*)\})/
const PARAMETER = /^\$(?:\{[^}\n]*\}|[0-9@*#?!$-])/
/** More characters than the values of variables may become. */
const MAX_VALUES_LENGTH = 512 * 1024

/**
 * Splits a script into its commands and their words, as a POSIX shell does for what stands in documentation: continuation lines, quotes,
 * comments, and variables that are assigned before they are used. Nothing is run: the output of a command is an unknown value, and
 * so is a variable that is `given`, to be filled in where it is used.
 */
export function shellCommands(text: string, given: ReadonlySet<string> = new Set()): ShellReading {
  return new ShellReader(text, given).read()
}

/** Something that begins in a line and does not end. */
class NotClosed extends Error {
  readonly line: number

  constructor(line: number) {
    super('not closed')
    this.line = line
  }
}

class ShellReader {
  private readonly text: string
  private readonly commands: ShellCommand[] = []
  private readonly variables = new Map<string, string>()
  private readonly given: ReadonlySet<string>
  private words: ShellWord[] = []
  private word: { text: string; line: number; isKnown: boolean } | undefined
  private line = 1
  private at = 0
  private left = MAX_VALUES_LENGTH

  constructor(text: string, given: ReadonlySet<string>) {
    this.text = text
    this.given = given
  }

  read(): ShellReading {
    try {
      while (this.at < this.text.length) this.readNext()
      this.endCommand()
      return { commands: this.commands }
    } catch (error) {
      if (!(error instanceof NotClosed)) throw error
      return { commands: this.commands, brokenAt: error.line }
    }
  }

  private readNext(): void {
    const { text, at } = this
    const character = text[at] as string
    const rest = text.slice(at, at + 8)
    // PowerShell continues a line with a backtick.
    const continuation = /^(?:\\|`)\r?\n/.exec(rest)
    if (continuation) this.skip(continuation[0])
    else if (character === '\\') {
      if (at + 1 >= text.length) throw new NotClosed(this.line)
      this.add(text[at + 1] as string)
      this.at += 2
    } else if (character === "'") this.readSingleQuotes()
    else if (character === '"') this.readDoubleQuotes()
    else if (character === '$' || character === '`') this.expand(false)
    else if (character === '\n') {
      this.endCommand(';')
      this.skip(character)
    } else if (/\s/.test(character)) {
      this.endWord()
      this.at += 1
    } else if (character === '#' && !this.word) {
      const next = text.indexOf('\n', at)
      this.at = next < 0 ? text.length : next
    } else {
      const operator = this.word && /^\d/.test(character) ? undefined : OPERATOR.exec(rest)?.[0]
      if (operator === undefined) this.add(character)
      else this.endCommand(operator)
      this.at += operator?.length ?? 1
    }
  }

  private skip(characters: string): void {
    this.line += characters.split('\n').length - 1
    this.at += characters.length
  }

  private open() {
    this.word ??= { text: '', line: this.line, isKnown: false }
    return this.word
  }

  private add(characters: string): void {
    const word = this.open()
    word.text += characters
    word.isKnown = true
  }

  private endWord(): void {
    const { word } = this
    if (word) this.words.push({ text: word.text, line: word.line, isOpen: !word.isKnown })
    this.word = undefined
  }

  private endCommand(operator?: string): void {
    this.endWord()
    const { words, line } = this
    this.words = []
    const behind = operator === undefined ? {} : { operator, operatorLine: line }
    if (words.length === 0) {
      // `docker run redis |` in front of a new line.
      const last = this.commands.at(-1)
      if (last && operator !== ';') Object.assign(last, behind)
      return
    }
    const first = words.findIndex((one) => !isAssignment(one))
    const isDeclaration = DECLARATION.test(words[0]?.text ?? '') && words.slice(1).every(isAssignment)
    if (first >= 0 && !isDeclaration) {
      this.commands.push({ words: words.slice(first), line: words[first]?.line ?? line, ...behind })
      return
    }
    for (const { text } of isDeclaration ? words.slice(1) : words) {
      const equals = text.indexOf('=')
      const name = text.slice(0, equals)
      // `token=<your token>` has a place for a value, and none.
      if (operator?.startsWith('<') && text === words.at(-1)?.text) this.variables.delete(name)
      else this.variables.set(name, text.slice(equals + 1))
    }
  }

  private readSingleQuotes(): void {
    const close = this.text.indexOf("'", this.at + 1)
    if (close < 0) throw new NotClosed(this.line)
    const inside = this.text.slice(this.at + 1, close)
    this.add(inside)
    this.skip(`'${inside}'`)
  }

  private readDoubleQuotes(): void {
    const start = this.line
    this.add('')
    this.at += 1
    for (;;) {
      const inner = this.text[this.at]
      if (inner === undefined) throw new NotClosed(start)
      if (inner === '"') break
      if (inner === '$' || inner === '`') {
        this.expand(true)
        continue
      }
      const next = this.text[this.at + 1]
      const isEscape = inner === '\\' && next !== undefined && /["\\$`\n]/.test(next)
      if (!isEscape) this.add(inner)
      else if (next !== '\n') this.add(next)
      this.skip(isEscape ? `${inner}${next}` : inner)
    }
    this.at += 1
  }

  /** Reads what begins with `$` or a backtick. */
  private expand(isQuoted: boolean): void {
    const rest = this.text.slice(this.at, this.at + 260)
    const variable = VARIABLE.exec(rest)
    const name = variable?.[1] ?? variable?.[2] ?? variable?.[3] ?? ''
    const value = variable && (this.variables.get(name) ?? (this.given.has(name) ? undefined : variable[4]))
    if (variable && value !== undefined && value !== null) {
      this.at += variable[0].length
      this.addValue(value, isQuoted)
      return
    }
    const written = variable?.[0] ?? this.substitution() ?? PARAMETER.exec(rest)?.[0]
    if (written === undefined) {
      if (rest.startsWith(`\${`)) throw new NotClosed(this.line)
      this.add('$')
      this.at += 1
      return
    }
    // A comment in the middle of a line, which expands to nothing.
    if (!/^`\s*#[^`]*`$/.test(written)) this.open().text += unknownValue(written)
    this.skip(written)
  }

  /** Unquoted, the spaces of a value separate words. */
  private addValue(value: string, isQuoted: boolean): void {
    this.left -= value.length
    if (this.left < 0) throw new NotClosed(this.line)
    const parts = isQuoted ? [value] : value.split(/[ \t\n]+/)
    for (const [index, part] of parts.entries()) {
      if (index > 0) this.endWord()
      if (part !== '' || isQuoted) this.add(part)
    }
  }

  /** `$(…)` or what stands in backticks, with nested ones; undefined for neither. */
  private substitution(): string | undefined {
    const { text, at } = this
    const isParenthesis = text.startsWith('$(', at)
    if (!isParenthesis && text[at] !== '`') return undefined
    let depth = 0
    for (let index = at + 1; index < text.length; index += 1) {
      const character = text[index]
      if (character === '\\') index += 1
      else if (isParenthesis && character === '(') depth += 1
      else if (character === (isParenthesis ? ')' : '`')) {
        depth -= 1
        if (depth <= 0) return text.slice(at, index + 1)
      }
    }
    throw new NotClosed(this.line)
  }
}

const isAssignment = ({ text }: ShellWord): boolean => /^[A-Za-z_]\w*=/.test(text)
