import type { AbiParameter } from 'viem'
import type { ConsoleFunction } from './consoleFunctions.ts'

export interface PrefillFacts {
  /** The connected wallet; the zero address stands in without one. */
  account?: string | undefined
  /** Where Credit is, for parameters called token. */
  credit?: string | undefined
}

/** Starts that make most calls run as they are: pages of 20, one month, the first of everything. */
const BY_NAME: Readonly<Record<string, number>> = {
  num: 20,
  id: 1,
  ver: 1,
  nodeId: 1,
  orderId: 1,
  rev: 1,
  duration: 2_592_000,
  dur: 2_592_000,
}
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** Beyond 48 bits viem takes a bigint, which JSON can only hold as text. */
const NUMBER_BITS = 48

/** The parameters of a function as JSON text, filled in from their types. */
export function prefillArgs(entry: ConsoleFunction, facts: PrefillFacts = {}): string {
  return JSON.stringify(Object.fromEntries(entry.inputs.map((input) => [input.name, prefill(input, facts)])), null, 2)
}

function prefill(parameter: AbiParameter, facts: PrefillFacts): unknown {
  const array = /^(.*)\[(\d*)\]$/.exec(parameter.type)
  if (array) {
    const one = prefill({ ...parameter, type: array[1] ?? '' }, facts)
    return Array.from({ length: Number(array[2] || '1') }, () => one)
  }
  if (parameter.type === 'tuple' && 'components' in parameter)
    return Object.fromEntries(parameter.components.map((part) => [part.name, prefill(part, facts)]))
  if (parameter.type === 'address') return (parameter.name === 'token' ? facts.credit : facts.account) ?? ZERO_ADDRESS
  if (parameter.type === 'bool') return true
  if (parameter.type === 'string') return ''
  const bytes = /^bytes(\d*)$/.exec(parameter.type)
  if (bytes) return `0x${'00'.repeat(Number(bytes[1] || '0'))}`
  const value = BY_NAME[parameter.name ?? ''] ?? 0
  return isSmall(parameter.type) ? value : String(value)
}

/** True for integers that viem takes as a number. */
export function isSmall(type: string): boolean {
  const bits = /^u?int(\d*)$/.exec(type)?.[1]
  return bits !== undefined && Number(bits || '256') <= NUMBER_BITS
}
