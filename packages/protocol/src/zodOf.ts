import { z } from 'zod'
import { addressString, count, hashString, idString, weiString } from './scalars.ts'
import type { Shape } from './shape.ts'

// biome-ignore lint/suspicious/noExplicitAny: any shape
type AnyShape = Shape<any, any>
const made = new WeakMap<AnyShape, z.ZodType>()

/** The schema of a declared part of an answer, for the API's document and for tests of what is served. Not for browsers: it needs zod. */
export function zodOf<Wire>(shape: Shape<Wire, unknown>): z.ZodType<Wire> {
  const known = made.get(shape) ?? make(shape)
  made.set(shape, known)
  return known as z.ZodType<Wire>
}

/** The schema of a declared object that refuses unknown fields, for what a program reads of another one. */
export const strictOf = <Wire>({ form }: Shape<Wire, unknown>): z.ZodType<Wire> => {
  if (form[0] !== 'object') throw new TypeError(`a ${form[0]} has no fields`)
  return z.strictObject(fieldsOf(form[1])) as never
}

function make({ form }: AnyShape): z.ZodType {
  switch (form[0]) {
    case 'flag':
      return z.boolean()
    case 'facts':
      return z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    case 'wei':
      return weiString
    case 'id':
      return idString
    case 'address':
      return addressString
    case 'hash':
      return hashString
    case 'signature':
      return z.string().regex(/^0x[0-9a-f]{130}$/)
    case 'count':
      return form[1] === undefined ? count : count.max(form[1])
    case 'number':
      return form[2] === undefined ? z.number().min(form[1]) : z.number().min(form[1]).max(form[2])
    case 'text':
      return form[2] === undefined ? z.string().max(form[1]) : z.string().max(form[1]).regex(form[2])
    case 'word':
      return z.enum(form[1] as [string, ...string[]])
    case 'list':
      return z.array(zodOf(form[1])).max(form[2])
    case 'orNull':
      return zodOf(form[1]).nullable()
    case 'optional':
      return zodOf(form[1]).optional()
    case 'object':
      return z.object(fieldsOf(form[1]))
  }
}

function fieldsOf(fields: Readonly<Record<string, AnyShape & { from?: string; isFlat?: true }>>): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, field]) =>
      field.isFlat && field.form[0] === 'object'
        ? Object.entries(fieldsOf(field.form[1]))
        : [[field.from ?? key, zodOf(field)] as const],
    ),
  )
}
