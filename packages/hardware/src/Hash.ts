/** SHA-256 as a parameter: this package bundles no library, and Node has a faster one than the browser. */
export type Hash = (bytes: Uint8Array) => Uint8Array

export const HASH_BYTES = 32

/** SHA-256 of the concatenated parts. */
export function hashAll(hash: Hash, ...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    joined.set(part, offset)
    offset += part.length
  }
  return hash(joined)
}

export const isEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index])

/** A whole number below `limit` from the first 48 bits of a hash. */
export function numberBelow(limit: number, bytes: Uint8Array): number {
  let value = 0
  for (let index = 0; index < 6; index += 1) value = value * 256 + (bytes[index] ?? 0)
  return value % limit
}
