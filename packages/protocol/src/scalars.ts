import { z } from 'zod'
import { readSignature } from './signature.ts'

/** Wei as a decimal string: JSON numbers cannot hold it. */
export const weiString = z.string().regex(/^-?\d{1,78}$/)
/** 0x and 40 hex digits; answers carry it lower-cased. */
export const addressString = z.string().regex(/^0x[0-9a-fA-F]{40}$/)
export const hashString = z.string().regex(/^0x[0-9a-f]{64}$/)
const MAX_ID = String(2n ** 64n - 1n)
/** Order ids are uint64 on chain, so they travel as decimal strings. */
export const idString = z
  .string()
  .regex(/^(0|[1-9]\d{0,19})$/)
  .refine((id) => id.length < MAX_ID.length || id <= MAX_ID, 'exceeds a uint64')
/** A signature of any account: 0 to 4,096 bytes, of which a contract account may accept any. A missing 0x is added. */
export const signatureString = z
  .string()
  .regex(/^(?:0[xX])?(?:[0-9a-fA-F]{2}){0,4096}$/)
  .overwrite((given) => readSignature(given) ?? given)
export const unixSeconds = z.number().int().min(0)
export const count = z.number().int().min(0)
