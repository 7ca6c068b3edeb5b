import { unknownValue } from './unknownValue.ts'

/** Deeper nesting of defaults is refused. */
const MAX_DEPTH = 16

/** A `$` that starts no variable. */
export class BadVariable extends Error {}

/**
 * Fills in the variables of a compose file as Compose does: of those without a value a default is used, an alternative is empty, `$$` is a
 * dollar sign, and a variable without a default is an unknown value. `onVariable` is told of each and what it is without a value.
 *
 * @throws BadVariable
 * @example interpolate('http://${HOST:-localhost}:$$5') // 'http://localhost:$5'
 */
export function interpolate(
  text: string,
  known: Readonly<Record<string, string>> = {},
  onVariable: (name: string, usual: string | undefined) => void = () => {},
): string {
  let at = 0
  const readText = (depth: number): string => {
    let filled = ''
    while (at < text.length && !(depth > 0 && text[at] === '}')) {
      if (text[at] === '$') filled += readVariable(depth)
      else {
        filled += text[at]
        at += 1
      }
    }
    return filled
  }
  const readVariable = (depth: number): string => {
    const start = at
    if (text[at + 1] === '$') {
      at += 2
      return '$'
    }
    const match = /^\$(\{?)([A-Za-z_]\w*)/.exec(text.slice(at, at + 260))
    if (!match || depth >= MAX_DEPTH) throw new BadVariable()
    at += match[0].length
    const name = match[2] ?? ''
    const given = Object.hasOwn(known, name) ? known[name] : undefined
    if (match[1] === '') {
      onVariable(name, undefined)
      return given ?? unknownValue(match[0])
    }
    const operator = /^:?[-+?]/.exec(text.slice(at, at + 2))?.[0] ?? ''
    at += operator.length
    const word = operator === '' ? '' : readText(depth + 1)
    if (text[at] !== '}') throw new BadVariable()
    at += 1
    onVariable(name, operator.endsWith('-') ? word : operator.endsWith('+') ? '' : undefined)
    // With a colon an empty value is as good as none.
    const value = operator.startsWith(':') && given === '' ? undefined : given
    if (operator.endsWith('-')) return value ?? word
    if (operator.endsWith('+')) return value === undefined ? '' : word
    return value ?? unknownValue(text.slice(start, at))
  }
  return readText(0)
}
