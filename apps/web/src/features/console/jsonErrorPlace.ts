/**
 * Where a text stops being JSON, counted from 1. Engines do not agree on whether their message names the place,
 * so the grammar is walked once more.
 */
export function jsonErrorPlace(text: string): { line: number; column: number } {
  const before = text.slice(0, firstWrong(text)).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Lists and objects within each other; arguments have a few. Each takes its part of the stack. */
const MAX_DEPTH = 500
const SPACE = /[ \t\n\r]*/y
const SCALAR = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const TEXT = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y

function firstWrong(text: string): number {
  let at = 0
  const take = (pattern: RegExp) => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found !== null
  }
  const is = (character: string) => {
    take(SPACE)
    if (text[at] !== character) return false
    at += 1
    return true
  }
  const list = (end: string, entry: () => boolean) => {
    if (is(end)) return true
    do if (!entry()) return false
    while (is(','))
    return is(end)
  }
  const value = (depth: number): boolean => {
    take(SPACE)
    if (depth > MAX_DEPTH) return false
    if (is('{')) return list('}', () => take(SPACE) && take(TEXT) && is(':') && value(depth + 1))
    if (is('[')) return list(']', () => value(depth + 1))
    return take(TEXT) || take(SCALAR)
  }
  value(0)
  take(SPACE)
  return at
}
