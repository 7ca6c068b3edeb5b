import { type DeployText, envText, formatDeployText } from '@rackfair/core'
import { bestKem, type PublicKeys, sealRequest, toBase64url, utf8 } from '@rackfair/sealed'
import { keccak256, toHex } from 'viem'

/** What is sealed has a length that is a multiple of this, so that it tells little of how long a password is. */
const PADDED_BYTES = 512
const SALT_BYTES = 32

/**
 * The text that a wallet signs for a request with environment values, and the values sealed to that very text: to its order, provider,
 * chain and time. Only the agent whose keys they are opens them, and with no other text; the hash in the text has a salt, so that
 * whoever sees the text cannot guess a short value.
 *
 * @example const { text, sealed } = await sealDeployText(facts, { PASSWORD: 'correct horse' }, keys)
 *          await api.deploy({ text, sealed, signature: await account.signMessage({ message: text }) })
 */
export async function sealDeployText(
  facts: Omit<DeployText, 'envHash'>,
  env: Readonly<Record<string, string>>,
  keys: PublicKeys,
): Promise<{ text: string; sealed: string }> {
  const salt = toHex(crypto.getRandomValues(new Uint8Array(SALT_BYTES))).slice(2)
  const plain = envText({ salt, env })
  const text = formatDeployText({ ...facts, envHash: keccak256(toHex(plain)) })
  const bytes = utf8(plain)
  const padded = new Uint8Array(Math.ceil(bytes.length / PADDED_BYTES) * PADDED_BYTES).fill(0x20)
  padded.set(bytes)
  return { text, sealed: toBase64url(await sealRequest(keys, padded, text, await bestKem())) }
}
