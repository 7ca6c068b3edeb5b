import { type DeployText, envText, formatDeployText } from '@rackfair/protocol/deployText'
import { bestKem, type PublicKeys, sealRequest, toBase64url, utf8 } from '@rackfair/sealed'
import { keccak256, toHex } from 'viem'

/** Sealed values are padded to a multiple of this, so that the length reveals little about a password. */
const PADDED_BYTES = 512
const SALT_BYTES = 32

/**
 * The text that a wallet signs for a request with environment values, and the values sealed to that very text: its order, provider, chain
 * and time. Only the agent that holds these keys can open them, and only with this text. The hash in the text is salted, so that nobody who
 * sees the text can guess a short value.
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
