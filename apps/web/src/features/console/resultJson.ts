import type { AbiParameter } from 'viem'

/** A decoded result as JSON text: big numbers as decimal strings, outputs under their names where they have some. */
export function resultJson(value: unknown, outputs: readonly AbiParameter[] = []): string {
  return (
    JSON.stringify(named(value, outputs), (_, entry: unknown) => (typeof entry === 'bigint' ? String(entry) : entry), 2) ?? ''
  )
}

function named(value: unknown, outputs: readonly AbiParameter[]): unknown {
  if (outputs.length < 2 || !Array.isArray(value)) return value
  return Object.fromEntries(outputs.map((output, index) => [output.name || String(index), value[index]]))
}
