import { Lexer } from 'yaml'

/** Far more than any description of an application has. */
export const YAML_LIMITS = { depth: 64, documents: 64 } as const

/**
 * The line at which a text nests deeper, or has more documents, than is read; undefined if it does neither. Parsing costs time that grows
 * with the depth, so this comes first.
 */
export function tooDeepAt(text: string): number | undefined {
  let line = 1
  let flow = 0
  let documents = 0
  let column = 0
  /** Whether a token here can start a block: the first of its line, or behind `-` and `?`. */
  let starts = true
  let previous = ''
  const blocks: number[] = []
  for (const token of new Lexer().lex(text)) {
    const isContent = previous === '\x1f'
    previous = token
    if (token === '\x1f' || token === '\x02') continue
    if (!isContent && (token === '[' || token === '{')) flow += 1
    else if (!isContent && (token === ']' || token === '}')) flow -= 1
    else if (token === '---') documents += 1
    const isSpace = /^[ \t]*$/.test(token)
    const isBlockText = isContent && token.includes('\n')
    if (starts && !isSpace && !isBlockText && flow === 0) {
      while ((blocks.at(-1) ?? -1) >= column) blocks.pop()
      blocks.push(column)
      starts = !isContent && (token === '-' || token === '?')
    } else if (!isSpace) starts = false
    column += token.length
    const breaks = token.split('\n').length - 1
    if (breaks > 0) {
      line += breaks
      column = token.length - token.lastIndexOf('\n') - 1
      starts = true
    }
    if (flow + blocks.length > YAML_LIMITS.depth || documents > YAML_LIMITS.documents) return line
  }
  return undefined
}
