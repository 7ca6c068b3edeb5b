/** Bytes as WebCrypto accepts them: not backed by shared memory. */
export type Bytes = Uint8Array<ArrayBuffer>

/** The name of the type in both browsers and Node. */
export type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>
export interface KeyPair {
  privateKey: Key
  publicKey: Key
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

/** @throws TypeError for invalid UTF-8. */
export const fromUtf8 = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

export const toBase64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

/** @throws DOMException for invalid base64url. */
export const fromBase64url = (text: string): Bytes =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))

export const sha256 = async (bytes: Uint8Array): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Bytes))

/** Parses a JSON object; undefined for anything else. */
export function readJson(bytes: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(fromUtf8(bytes))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
