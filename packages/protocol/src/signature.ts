/** Bytes of the longest signature that is passed on: those of contract wallets carry several, or code (ERC-6492). */
export const MAX_SIGNATURE_BYTES = 4096

/**
 * A signature as a wallet may give it, as hex with 0x: 0 to 4,096 bytes, for its form is the account's matter. A contract may accept an
 * empty one. `undefined` for anything else.
 *
 * @example readSignature('a1b2') // '0xa1b2'
 */
export function readSignature(value: unknown): `0x${string}` | undefined {
  if (typeof value !== 'string' || value.length > 2 * MAX_SIGNATURE_BYTES + 2) return undefined
  const digits = /^(?:0x)?((?:[0-9a-f]{2})*)$/i.exec(value)?.[1]
  return digits === undefined ? undefined : `0x${digits}`
}

/** The 64 bytes of ERC-2098 as the 65 of r, s and v; any other signature unchanged. Only an ordinary account's is of this kind. */
export function expandSignature(signature: `0x${string}`): `0x${string}` {
  if (signature.length !== 130) return signature
  const odd = Number.parseInt(signature.slice(66, 68), 16) >= 128
  const top = (Number.parseInt(signature.slice(66, 68), 16) % 128).toString(16).padStart(2, '0')
  return `${signature.slice(0, 66) as `0x${string}`}${top}${signature.slice(68)}${odd ? '1c' : '1b'}`
}
