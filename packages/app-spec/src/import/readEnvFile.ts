import { BadVariable, interpolate } from './interpolate.ts'
import { asWritten } from './unknownValue.ts'

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$$' }

/**
 * Reads a file of variables as Compose does: quotes, comments, and variables that earlier lines define. A name without a value is left
 * out: it is taken from a shell, and there is none. `isRaw` reads it as `docker run` does, where everything behind `=` is the value.
 *
 * @example readEnvFile('A=1\nB="${A} 2" # two') // { A: '1', B: '1 2' }
 */
export function readEnvFile(
  text: string,
  { isRaw = false, variables = {} }: { isRaw?: boolean; variables?: Readonly<Record<string, string>> } = {},
): Record<string, string> {
  const values = new Map<string, string>()
  const filled = (value: string): string => {
    try {
      // What nothing defines is empty.
      return interpolate(value, { ...variables, ...Object.fromEntries(values) }).replace(/\0[^\0]*\0/g, '')
    } catch (error) {
      if (error instanceof BadVariable) return value
      throw error
    }
  }
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const equals = line.indexOf('=')
    const name = line
      .slice(0, Math.max(0, equals))
      .trim()
      .replace(/^export\s+/, '')
    if (name === '' || name.startsWith('#')) continue
    const rest = line.slice(equals + 1)
    const value = isRaw ? rest : rest.trimStart()
    const quote = isRaw ? undefined : /^["']/.exec(value)?.[0]
    if (quote === undefined) values.set(name, isRaw ? value : filled(withoutComment(value).trimEnd()))
    else {
      // A quoted value goes on until its quote, over several lines.
      const closed = quote === "'" ? /^'([^']*)'/ : /^"((?:[^"\\]|\\.)*)"/s
      let whole = value
      let last = at
      while (!closed.test(whole) && last + 1 < lines.length) {
        last += 1
        whole += `\n${lines[last]}`
      }
      const [, inside] = closed.exec(whole) ?? []
      if (inside === undefined) values.set(name, asWritten(value))
      else {
        at = last
        values.set(
          name,
          quote === "'" ? inside : filled(inside.replace(/\\([nrt"\\$])/g, (_, one: string) => ESCAPES[one] ?? one)),
        )
      }
    }
  }
  return Object.fromEntries(values)
}

function withoutComment(value: string): string {
  const start = value.search(/(?:^|\s)#/)
  return start < 0 ? value : value.slice(0, start)
}
