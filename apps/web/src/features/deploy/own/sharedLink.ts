const PREFIX = '#app='
/** Longer links are cut by programs that pass them on. */
const MAX_LINK_LENGTH = 8000

/** A link that opens this page with a specification in it. It stands behind the #, which no server is sent; undefined where it is too long. */
export function sharedLink(page: string, yaml: string): string | undefined {
  const bytes = new TextEncoder().encode(yaml)
  const text = btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
  return text.length > MAX_LINK_LENGTH ? undefined : `${page}${PREFIX}${text}`
}

/** The specification in the address; undefined where there is none. */
export function readSharedLink(hash: string): string | undefined {
  if (!hash.startsWith(PREFIX) || hash.length > MAX_LINK_LENGTH + PREFIX.length) return undefined
  try {
    const bytes = atob(hash.slice(PREFIX.length).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)))
  } catch {
    return undefined
  }
}
