import { z } from 'zod'
import { addressString, signatureString, unixSeconds } from './scalars.ts'

/** `POST /v1/auth/nonce` */
export const nonceAnswer = z.object({ nonce: z.string().min(8).max(96) })
/** `POST /v1/auth/verify`: an ERC-4361 message and its signature. */
export const verifyRequest = z.object({
  message: z.string().min(1).max(2000),
  signature: signatureString,
})
/** `GET /v1/auth/session`; both null when signed out. */
export const sessionAnswer = z.object({ address: addressString.nullable(), expires: unixSeconds.nullable() })
export type SessionAnswer = z.infer<typeof sessionAnswer>
/** `POST /v1/auth/verify`: sets the session's cookie or, where there is no TLS, returns the token that calls carry as `Authorization: Bearer`. */
export const signInAnswer = sessionAnswer.extend({
  token: z
    .string()
    .regex(/^[\w-]{43}$/)
    .optional(),
})
export type SignInAnswer = z.infer<typeof signInAnswer>

/** `POST /v1/newsletter`; the answer is the same whether or not the address is already registered. */
export const newsletterRequest = z.object({ email: z.string().min(3).max(254), locale: z.enum(['en', 'zh']).optional() })
export const okAnswer = z.object({ ok: z.literal(true) })

/** `POST /v1/faucet`, chain 2985 only: sends Credit and gas. */
export const faucetRequest = z.object({ address: addressString })
export const faucetAnswer = z.object({ transactionHashes: z.array(z.string()), credit: z.string(), gas: z.string() })
export type FaucetAnswer = z.infer<typeof faucetAnswer>
