import { type AbiParameter, isAddress } from 'viem'
import { jsonErrorPlace } from './jsonErrorPlace.ts'
import { isSmall } from './prefill.ts'

export type ArgProblem =
  | { code: 'json'; line: number; column: number }
  | { code: 'not_object' | 'missing' | 'unknown' | 'not_integer' | 'unsafe_number' }
  | { code: 'not_address' | 'bad_checksum' | 'not_bool' | 'not_text' | 'not_hex' | 'not_list' }
  | { code: 'out_of_range'; min: string; max: string }
  | { code: 'wrong_bytes' | 'wrong_length'; want: number; have: number }

/** One thing that is wrong, and where: `input.port`, `ids[2]`; empty for the whole text. */
export interface ArgIssue {
  path: string
  type: string
  problem: ArgProblem
}

/** Reads JSON text as the arguments of a function, in the types viem takes, or lists everything that is wrong with it. */
export function parseArgs(inputs: readonly AbiParameter[], text: string): { args: unknown[] } | { issues: ArgIssue[] } {
  let value: unknown
  try {
    value = JSON.parse(text.trim() === '' ? '{}' : text)
  } catch {
    return { issues: [{ path: '', type: '', problem: { code: 'json', ...jsonErrorPlace(text) } }] }
  }
  const issues: ArgIssue[] = []
  const read = readTuple(inputs, value, '', issues)
  return issues.length > 0 ? { issues } : { args: inputs.map((input) => read[input.name ?? '']) }
}

function readTuple(parts: readonly AbiParameter[], value: unknown, path: string, issues: ArgIssue[]): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    issues.push({ path, type: 'object', problem: { code: 'not_object' } })
    return {}
  }
  const given = value as Record<string, unknown>
  const known = new Set(parts.map((part) => part.name))
  for (const name of Object.keys(given))
    if (!known.has(name)) issues.push({ path: join(path, name), type: '', problem: { code: 'unknown' } })
  return Object.fromEntries(
    parts.map((part) => {
      const name = part.name ?? ''
      const place = join(path, name)
      if (Object.hasOwn(given, name)) return [name, readValue(part, given[name], place, issues)]
      issues.push({ path: place, type: part.type, problem: { code: 'missing' } })
      return [name, undefined]
    }),
  )
}

function readValue(parameter: AbiParameter, value: unknown, path: string, issues: ArgIssue[]): unknown {
  const { type } = parameter
  const fail = (problem: ArgProblem) => {
    issues.push({ path, type, problem })
    return undefined
  }
  const array = /^(.*)\[(\d*)\]$/.exec(type)
  if (array) {
    if (!Array.isArray(value)) return fail({ code: 'not_list' })
    if (array[2] && value.length !== Number(array[2]))
      return fail({ code: 'wrong_length', want: Number(array[2]), have: value.length })
    return value.map((entry, index) => readValue({ ...parameter, type: array[1] ?? '' }, entry, `${path}[${index}]`, issues))
  }
  if (type === 'tuple' && 'components' in parameter) return readTuple(parameter.components, value, path, issues)
  if (type === 'bool') return typeof value === 'boolean' ? value : fail({ code: 'not_bool' })
  if (type === 'string') return typeof value === 'string' ? value : fail({ code: 'not_text' })
  if (type === 'address') {
    if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(value)) return fail({ code: 'not_address' })
    return isAddress(value) ? value : fail({ code: 'bad_checksum' })
  }
  const bytes = /^bytes(\d*)$/.exec(type)
  if (bytes) {
    if (typeof value !== 'string' || !/^0x(?:[0-9a-fA-F]{2})*$/.test(value)) return fail({ code: 'not_hex' })
    const have = (value.length - 2) / 2
    return bytes[1] && have !== Number(bytes[1]) ? fail({ code: 'wrong_bytes', want: Number(bytes[1]), have }) : value
  }
  return readInteger(type, value, fail)
}

function readInteger(type: string, value: unknown, fail: (problem: ArgProblem) => undefined): bigint | number | undefined {
  const [, unsigned, bits = '256'] = /^(u?)int(\d*)$/.exec(type) ?? []
  if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)) return fail({ code: 'unsafe_number' })
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || !/^(-?\d+|0x[0-9a-fA-F]+)$/.test(text)) return fail({ code: 'not_integer' })
  const integer = BigInt(text)
  const size = BigInt(bits || '256')
  const min = unsigned ? 0n : -(2n ** (size - 1n))
  const max = unsigned ? 2n ** size - 1n : 2n ** (size - 1n) - 1n
  if (integer < min || integer > max) return fail({ code: 'out_of_range', min: String(min), max: String(max) })
  return isSmall(type) ? Number(integer) : integer
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
