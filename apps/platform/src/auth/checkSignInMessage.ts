import { AppError } from '@rackfair/core'
import { createSiweMessage, parseSiweMessage, type SiweMessage } from 'viem/siwe'

const OLDEST_SECONDS = 900
const FUTURE_SECONDS = 60

/**
 * Parses an ERC-4361 message for this very site: its domain and URI, this chain, version 1, within its time limits, in the canonical form.
 * The caller has to check the nonce and the signature.
 */
export function checkSignInMessage(
  message: string,
  expected: { chainId: number; origins: readonly string[]; now: number },
): { address: string; nonce: string } {
  const fields = parseSiweMessage(message)
  const { address, nonce, domain, uri, chainId, version, issuedAt, expirationTime, notBefore } = fields
  if (!address || !nonce || !domain || !uri || !issuedAt || version !== '1') return invalid('a field is missing')
  let canonical: string
  try {
    canonical = createSiweMessage(fields as SiweMessage)
  } catch {
    return invalid('a field is malformed')
  }
  if (canonical !== message) return invalid('it is not in the canonical form')
  if (chainId !== expected.chainId) return invalid(`it is for chain ${chainId}, this is ${expected.chainId}`)
  const origin = expected.origins.find((candidate) => new URL(candidate).host === domain)
  if (!origin) return invalid('its domain is another site')
  if (!URL.canParse(uri) || new URL(uri).origin !== origin) return invalid('its URI is another site')
  if (fields.scheme !== undefined && `${fields.scheme}:` !== new URL(origin).protocol) return invalid('its scheme is another one')
  const issued = issuedAt.getTime() / 1000
  if (Number.isNaN(issued) || issued < expected.now - OLDEST_SECONDS) return invalid('it is too old')
  if (issued > expected.now + FUTURE_SECONDS) return invalid('it is dated in the future')
  if (expirationTime && !(expirationTime.getTime() / 1000 > expected.now)) return invalid('it has expired')
  if (notBefore && !(notBefore.getTime() / 1000 <= expected.now)) return invalid('it is not valid yet')
  return { address, nonce }
}

function invalid(why: string): never {
  throw new AppError('message_invalid', `the sign-in message is refused: ${why}`, { facts: { status: 401 } })
}
