import { parseSignInText } from '@rackfair/protocol/signInText'
import { AppError } from '@rackfair/rules/errors/AppError'
import type { AgentCode, PlatformCode } from '@rackfair/rules/errors/errorCodes'

const OLDEST_SECONDS = 900
const FUTURE_SECONDS = 60

/**
 * Reads an ERC-4361 message for this very site: its domain and URI, this chain, within its time limits. The caller has to check the nonce
 * and the signature.
 *
 * @throws AppError `text_too_old` or `text_in_future` for its date, else `message_invalid`.
 */
export function checkSignInMessage(
  message: string,
  expected: { chainId: number; origins: readonly string[]; now: number },
): { address: `0x${string}`; nonce: string; origin: string } {
  const text = parseSignInText(message)
  if (!text) return refuse('message_invalid', 'it does not have the form of ERC-4361')
  const { address, nonce, domain, uri, chainId, scheme, issuedAt, expiresAt, notBefore } = text
  const { now, origins } = expected
  if (chainId !== expected.chainId) refuse('message_invalid', `it is for chain ${chainId}, this is ${expected.chainId}`)
  const origin = origins.find((candidate) => new URL(candidate).host === domain.toLowerCase())
  if (!origin) return refuse('message_invalid', 'its domain is another site')
  if (!URL.canParse(uri) || new URL(uri).origin !== origin) refuse('message_invalid', 'its URI is another site')
  if (scheme !== undefined && `${scheme}:` !== new URL(origin).protocol) refuse('message_invalid', 'its scheme is another one')
  if (issuedAt < now - OLDEST_SECONDS) refuse('text_too_old', 'it is too old')
  if (issuedAt > now + FUTURE_SECONDS) refuse('text_in_future', 'it is dated in the future')
  if (expiresAt !== undefined && expiresAt <= now) refuse('text_too_old', 'it has expired')
  if (notBefore !== undefined && notBefore > now) refuse('text_in_future', 'it is not valid yet')
  return { address, nonce, origin }
}

function refuse(code: PlatformCode | AgentCode, why: string): never {
  throw new AppError(code, `the sign-in message is refused: ${why}`, { facts: { status: 401 } })
}
