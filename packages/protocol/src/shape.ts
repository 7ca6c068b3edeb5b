import { type LowerCaseAddress, toAddress } from '@rackfair/rules/address'
import { AppError } from '@rackfair/rules/errors/AppError'
import { MAX_DATE_MS } from '@rackfair/rules/limits'

/** Parses a part of untrusted JSON into a domain value; `name` is for the error. Throws AppError `answer_malformed`. */
export type Read<Value> = (json: unknown, name: string) => Value

/**
 * A part of an answer, declared once. It is the reader of the part, its `form` is what `zodOf` makes a schema of, and `~wire` is the type on
 * the wire: nothing at run time.
 */
export type Shape<Wire, Value> = Read<Value> & { readonly form: Form; readonly '~wire': Wire }

// biome-ignore lint/suspicious/noExplicitAny: any shape
type AnyShape = Shape<any, any>
type Fields = Readonly<Record<string, AnyShape>>

/** What a shape looks like on the wire. */
export type Form =
  | readonly [kind: 'facts' | 'flag' | 'wei' | 'id' | 'address' | 'hash' | 'signature']
  | readonly [kind: 'count', max: number | undefined]
  | readonly [kind: 'number', min: number, max: number | undefined]
  | readonly [kind: 'text', max: number, pattern: RegExp | undefined]
  | readonly [kind: 'word', words: readonly string[]]
  | readonly [kind: 'list', entry: AnyShape, max: number]
  | readonly [kind: 'orNull' | 'optional', shape: AnyShape]
  | readonly [kind: 'object', fields: Fields]

/** The type of a shape on the wire. */
export type WireOf<One> = One extends { readonly '~wire': infer Wire } ? Wire : never
/** The type of what it is read into. */
export type ValueOf<One extends (json: never, name: never) => unknown> = ReturnType<One>

type Optional = { readonly isOptional: true }
/** Absent on the wire, and always there once it is read. */
type Absent = { readonly isAbsent: true }
type Flat = { readonly isFlat: true }
type Unread = { readonly isUnread: true }
type WireName<Key, One> = One extends { readonly from: infer Name extends string } ? Name : Key
type All<Union> = (Union extends unknown ? (one: Union) => void : never) extends (one: infer Both) => void ? Both : never
type Plain<Type> = { [Key in keyof Type]: Type[Key] }
type FieldsWire<Of extends Fields> = Plain<
  {
    -readonly [Key in keyof Of as Of[Key] extends Optional | Absent | Flat ? never : WireName<Key, Of[Key]>]: WireOf<Of[Key]>
  } & {
    -readonly [Key in keyof Of as Of[Key] extends Optional | Absent ? WireName<Key, Of[Key]> : never]?:
      | WireOf<Of[Key]>
      | undefined
  } & All<{ [Key in keyof Of]: Of[Key] extends Flat ? WireOf<Of[Key]> : Record<never, never> }[keyof Of]>
>
type FieldsValue<Of extends Fields> = Plain<
  { -readonly [Key in keyof Of as Of[Key] extends Optional | Unread ? never : Key]: ValueOf<Of[Key]> } & {
    -readonly [Key in keyof Of as Of[Key] extends Unread ? never : Of[Key] extends Optional ? Key : never]?: ValueOf<Of[Key]>
  }
>

/** Maximum length of a text in characters, unless a field sets another. */
const MAX_TEXT = 1000
/** A date can hold the sum of two, such as the end of an order. */
const MAX_SECONDS = MAX_DATE_MS / 2000
/** Maximum entries of a list, unless a field sets another. */
const MAX_ENTRIES = 10_000

/** The error for an answer of the wrong form. `field` names the part that is wrong. */
export function malformed(field: string, expected: string): AppError<'answer_malformed'> {
  return new AppError('answer_malformed', `The answer cannot be read: ${field} is not ${expected}`, { facts: { field } })
}

/** Reads the fields of an object, each by name. */
export function fieldsOf(json: unknown, name: string): <Value>(field: string, read: Read<Value>) => Value {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw malformed(name, 'an object')
  const fields = json as Readonly<Record<string, unknown>>
  return (field, read) => read(Object.hasOwn(fields, field) ? fields[field] : undefined, `${name}.${field}`)
}

/*@__NO_SIDE_EFFECTS__*/
const shape = <Wire, Value>(form: Form, read: Read<Value>, more: object = {}): Shape<Wire, Value> =>
  Object.assign(read, { form }, more) as never

export const flag = /*@__PURE__*/ shape<boolean, boolean>(['flag'], (json, name) => {
  if (typeof json !== 'boolean') throw malformed(name, 'true or false')
  return json
})

/*@__NO_SIDE_EFFECTS__*/
const whole = (max?: number): Shape<number, number> =>
  shape(['count', max], (json, name) => {
    if (!Number.isSafeInteger(json) || (json as number) < 0) throw malformed(name, 'a whole number from 0 on')
    if (max !== undefined && (json as number) > max) throw malformed(name, `at most ${max}`)
    return json as number
  })

/** A whole number from 0 that JSON represents exactly. */
export const count = /*@__PURE__*/ whole()

/** A whole number from 0 to `max`. */
/*@__NO_SIDE_EFFECTS__*/
export const countTo = (max: number): Shape<number, number> => whole(max)

/** Unix seconds, or a length in seconds. */
export const seconds = /*@__PURE__*/ countTo(MAX_SECONDS)

/** A number from 0. */
export const amount = /*@__PURE__*/ shape<number, number>(['number', 0, undefined], (json, name) => {
  if (!Number.isFinite(json) || (json as number) < 0) throw malformed(name, 'a number from 0 on')
  return json as number
})

/** Any number within the range of times in seconds, negative ones included. */
export const figure = /*@__PURE__*/ shape<number, number>(['number', -MAX_SECONDS, MAX_SECONDS], (json, name) => {
  if (typeof json !== 'number' || !(Math.abs(json) <= MAX_SECONDS)) throw malformed(name, 'a number')
  return json
})

/** An amount in wei, a decimal string on the wire; the market has no negative ones. */
export const wei = /*@__PURE__*/ shape<string, bigint>(['wei'], (json, name) => {
  if (typeof json !== 'string' || !/^\d{1,78}$/.test(json)) throw malformed(name, 'an amount in wei')
  return BigInt(json)
})

/** The id of an order. */
export const id = /*@__PURE__*/ shape<string, bigint>(['id'], (json, name) => {
  if (typeof json !== 'string' || !/^(0|[1-9]\d{0,19})$/.test(json)) throw malformed(name, 'an id')
  return BigInt(json)
})

export const address = /*@__PURE__*/ shape<string, LowerCaseAddress>(['address'], (json, name) => {
  const read = typeof json === 'string' ? toAddress(json) : undefined
  if (read === undefined) throw malformed(name, 'an address')
  return read
})

/*@__NO_SIDE_EFFECTS__*/
const bytesOf = (kind: 'hash' | 'signature', length: number): Shape<string, `0x${string}`> =>
  shape([kind], (json, name) => {
    if (typeof json !== 'string' || json.length !== 2 + 2 * length || !/^0x[0-9a-f]*$/.test(json))
      throw malformed(name, `a ${kind}`)
    return json as `0x${string}`
  })

/** The hash of a transaction or an image. */
export const hash = /*@__PURE__*/ bytesOf('hash', 32)

/** The signature of an account with a key. */
export const signature = /*@__PURE__*/ bytesOf('signature', 65)

/** A text of at most `max` characters, and of this form. */
/*@__NO_SIDE_EFFECTS__*/
export const textOf = (max: number, pattern?: RegExp): Shape<string, string> =>
  shape(['text', max, pattern], (json, name) => {
    if (typeof json !== 'string' || json.length > max) throw malformed(name, `a text of at most ${max} characters`)
    if (pattern?.test(json) === false) throw malformed(name, `of the form ${pattern.source}`)
    return json
  })

export const text = /*@__PURE__*/ textOf(MAX_TEXT)

/** Named texts, numbers and flags. */
export const facts = /*@__PURE__*/ shape<Record<string, string | number | boolean>, Record<string, string | number | boolean>>(
  ['facts'],
  (json, name) => {
    fieldsOf(json, name)
    for (const [key, value] of Object.entries(json as object))
      if (typeof value === 'string') text(value, `${name}.${key}`)
      else if (typeof value !== 'number' && typeof value !== 'boolean')
        throw malformed(`${name}.${key}`, 'a text, a number or a flag')
    return json as never
  },
)

/*@__NO_SIDE_EFFECTS__*/
export const oneOf = <const Word extends string>(...words: readonly Word[]): Shape<Word, Word> =>
  shape(['word', words], (json, name) => {
    if (!words.includes(json as Word)) throw malformed(name, `one of ${words.join(', ')}`)
    return json as Word
  })

interface ListOf {
  <Wire, Entry>(entry: Shape<Wire, Entry>, max?: number): Shape<Wire[], Entry[]>
  <Entry>(entry: Read<Entry>, max?: number): Read<Entry[]>
}
/*@__NO_SIDE_EFFECTS__*/
export const listOf: ListOf = (entry: Read<unknown>, max = MAX_ENTRIES): never =>
  shape(['list', entry as AnyShape, max], (json, name) => {
    if (!Array.isArray(json) || json.length > max) throw malformed(name, `a list of at most ${max} entries`)
    return json.map((one) => entry(one, name))
  }) as never

interface OrNull {
  <Wire, Value>(one: Shape<Wire, Value>): Shape<Wire | null, Value | null>
  <Value>(one: Read<Value>): Read<Value | null>
}
/** Null stays null. */
/*@__NO_SIDE_EFFECTS__*/
export const orNull: OrNull = (one: Read<unknown>): never =>
  shape(['orNull', one as AnyShape], (json, name) => (json === null ? null : one(json, name))) as never

interface OptionalOf {
  <Wire, Value>(one: Shape<Wire, Value>): Shape<Wire, Value | undefined> & Optional
  <Value>(one: Read<Value>): Read<Value | undefined>
}
/** An absent field is undefined. */
/*@__NO_SIDE_EFFECTS__*/
export const optional: OptionalOf = (one: Read<unknown>): never =>
  shape(['optional', one as AnyShape], (json, name) => (json === undefined ? undefined : one(json, name)), {
    isOptional: true,
  }) as never

/** A field that may be absent, and is then read as another value. */
/*@__NO_SIDE_EFFECTS__*/
export const orElse = <Wire, Value>(one: Shape<Wire, Value>, value: () => Value): Shape<Wire, Value> & Absent =>
  shape(['optional', one], (json, name) => (json === undefined ? value() : one(json, name)), { isAbsent: true }) as never

/** A field whose name on the wire is another. */
/*@__NO_SIDE_EFFECTS__*/
export const from = <const Name extends string, One extends AnyShape>(name: Name, one: One): One & { readonly from: Name } =>
  Object.assign((json: unknown, name: string) => one(json, name), one, { from: name }) as never

/** A field that is on the wire for others, and is not read. */
/*@__NO_SIDE_EFFECTS__*/
export const unread = <One extends AnyShape>(one: One): One & Unread =>
  Object.assign((json: unknown, name: string) => one(json, name), one, { isUnread: true }) as never

/** Reads the same form into another value. `to` may throw `malformed(name, …)`. */
/*@__NO_SIDE_EFFECTS__*/
export const into = <Wire, Value, Other>(
  one: Shape<Wire, Value>,
  to: (value: Value, name: string) => Other,
): Shape<Wire, Other> => shape(one.form, (json, name) => to(one(json, name), name))

/**
 * An object, under the names of the domain. Unknown fields are ignored: a platform may answer more than a client knows.
 * @example object({ orderId: id, priceWei: from('price', wei) })
 */
/*@__NO_SIDE_EFFECTS__*/
export const object = <const Of extends Fields>(fields: Of): Shape<FieldsWire<Of>, FieldsValue<Of>> => {
  const all = (Object.entries(fields) as [string, AnyShape & { from?: string; isFlat?: true; isUnread?: true }][]).filter(
    ([, field]) => !field.isUnread,
  )
  return shape(['object', fields], (json, name) => {
    const of = fieldsOf(json, name)
    const value: Record<string, unknown> = {}
    for (const [key, field] of all) value[key] = field.isFlat ? field(json, name) : of(field.from ?? key, field)
    return value as never
  })
}

/** Fields that the domain holds together, and the wire beside the others. */
/*@__NO_SIDE_EFFECTS__*/
export const group = <const Of extends Fields>(fields: Of): Shape<FieldsWire<Of>, FieldsValue<Of>> & Flat =>
  Object.assign(object(fields), { isFlat: true } as const)
