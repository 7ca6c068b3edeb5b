import type { ConsoleFunction } from './consoleFunctions.ts'

/** The query that names a call: contract, function, and the arguments as compact JSON when they are JSON. */
export function consoleQuery(entry: ConsoleFunction, argsText: string): string {
  const search = new URLSearchParams({ contract: entry.contract, function: entry.name })
  const compact = compactJson(argsText)
  if (entry.inputs.length > 0 && compact !== undefined) search.set('args', compact)
  return search.toString()
}

/** Arguments of an address, laid out for reading; as they stand when they are no JSON. */
export function argsOfQuery(args: string): string {
  try {
    return JSON.stringify(JSON.parse(args), null, 2)
  } catch {
    return args
  }
}

function compactJson(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return undefined
  }
}
