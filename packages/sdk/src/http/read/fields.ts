import { type LowerCaseAddress, toAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { MAX_DATE_MS } from '@rackfair/rules/limits'
import type { ErrorCode } from '../../errors/ErrorCode.ts'

/** Parses a part of untrusted JSON into a domain value; `name` is for the error. Throws AppError `answer_malformed`. */
export type Read<Value> = (json: unknown, name: string) => Value

/** Maximum length of a text in characters, unless a field sets another. */
const MAX_TEXT = 1000
/** A date can hold the sum of two, such as the end of an order. */
const MAX_SECONDS = MAX_DATE_MS / 2000
/** Maximum entries of a list, unless a field sets another. */
const MAX_ENTRIES = 10_000

/** The error for an answer of the wrong form. `field` names the part that is wrong. */
export function malformed(field: string, expected: string): AppError<ErrorCode> {
  return new AppError<ErrorCode>('answer_malformed', `The answer cannot be read: ${field} is not ${expected}`, {
    facts: { field },
  })
}

/** Reads the fields of an object, each by name. */
export function fieldsOf(json: unknown, name: string): <Value>(field: string, read: Read<Value>) => Value {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw malformed(name, 'an object')
  const fields = json as Readonly<Record<string, unknown>>
  return (field, read) => read(Object.hasOwn(fields, field) ? fields[field] : undefined, `${name}.${field}`)
}

export const flag: Read<boolean> = (json, name) => {
  if (typeof json !== 'boolean') throw malformed(name, 'true or false')
  return json
}

/** A whole number from 0 that JSON represents exactly. */
export const count: Read<number> = (json, name) => {
  if (!Number.isSafeInteger(json) || (json as number) < 0) throw malformed(name, 'a whole number from 0 on')
  return json as number
}

/** A whole number from 0 to `max`. */
export const countTo =
  (max: number): Read<number> =>
  (json, name) => {
    if (count(json, name) > max) throw malformed(name, `at most ${max}`)
    return json as number
  }

/** Unix seconds, or a length in seconds. */
export const seconds = countTo(MAX_SECONDS)

/** A number from 0. */
export const amount: Read<number> = (json, name) => {
  if (!Number.isFinite(json) || (json as number) < 0) throw malformed(name, 'a number from 0 on')
  return json as number
}

/** Any number within the range of times in seconds, negative ones included. */
export const figure: Read<number> = (json, name) => {
  if (typeof json !== 'number' || !(Math.abs(json) <= MAX_SECONDS)) throw malformed(name, 'a number')
  return json
}

/** An amount in wei, a decimal string on the wire; the market has no negative ones. */
export const wei: Read<bigint> = (json, name) => {
  if (typeof json !== 'string' || !/^\d{1,78}$/.test(json)) throw malformed(name, 'an amount in wei')
  return BigInt(json)
}

/** The id of an order. */
export const id: Read<bigint> = (json, name) => {
  if (typeof json !== 'string' || !/^(0|[1-9]\d{0,19})$/.test(json)) throw malformed(name, 'an id')
  return BigInt(json)
}

export const address: Read<LowerCaseAddress> = (json, name) => {
  const read = typeof json === 'string' ? toAddress(json) : undefined
  if (read === undefined) throw malformed(name, 'an address')
  return read
}

const bytesOf =
  (length: number, expected: string): Read<`0x${string}`> =>
  (json, name) => {
    if (typeof json !== 'string' || json.length !== 2 + 2 * length || !/^0x[0-9a-f]*$/.test(json)) throw malformed(name, expected)
    return json as `0x${string}`
  }

/** The hash of a transaction or an image. */
export const hash = bytesOf(32, 'a hash')

/** The signature of an account with a key. */
export const signature = bytesOf(65, 'a signature')

/** A text of at most `max` characters. */
export const textOf =
  (max: number): Read<string> =>
  (json, name) => {
    if (typeof json !== 'string' || json.length > max) throw malformed(name, `a text of at most ${max} characters`)
    return json
  }

export const text = textOf(MAX_TEXT)

export const oneOf =
  <const Word extends string>(...words: readonly Word[]): Read<Word> =>
  (json, name) => {
    if (!words.includes(json as Word)) throw malformed(name, `one of ${words.join(', ')}`)
    return json as Word
  }

export const listOf =
  <Entry>(read: Read<Entry>, max = MAX_ENTRIES): Read<Entry[]> =>
  (json, name) => {
    if (!Array.isArray(json) || json.length > max) throw malformed(name, `a list of at most ${max} entries`)
    return json.map((entry) => read(entry, name))
  }

/** Null stays null. */
export const orNull =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (json, name) =>
    json === null ? null : read(json, name)

/** An absent field is undefined. */
export const optional =
  <Value>(read: Read<Value>): Read<Value | undefined> =>
  (json, name) =>
    json === undefined ? undefined : read(json, name)
