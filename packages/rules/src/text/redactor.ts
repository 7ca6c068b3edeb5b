/**
 * Removes the secrets of these URLs from a text: user, password, path and query of each, which is where services put their keys. For a
 * database only the passwords are secret: its name is often that of the market, which occurs in any line. Any other URL in the text loses
 * its path and query too.
 */
export function redactor(secret: readonly (string | undefined)[]): (text: string) => string {
  const hide = secretHider(secret)
  return (text) => hide(text.replace(ADDRESS, (_, scheme: string, host: string) => `${scheme}${host}`))
}

/** As `redactor`, for texts with other addresses that people open: these stay as they are. */
export function secretHider(secret: readonly (string | undefined)[]): (text: string) => string {
  const parts = secret.flatMap((address) => (address !== undefined && URL.canParse(address) ? partsOf(new URL(address)) : []))
  const hidden = [...new Set(parts)].filter((part) => part.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length)
  return (text) => hidden.reduce((rest, part) => rest.replaceAll(part, '[hidden]'), text)
}

/** Shorter parts, such as a path of one slash, are not keys, and occur in any text. */
const MIN_SECRET_LENGTH = 6
/** Secrets that libpq accepts in the query of a URL. */
const DATABASE_SECRETS = ['password', 'sslpassword']
const ADDRESS = /\b((?:https?|wss?|postgres(?:ql)?):\/\/)(?:[^\s@/"']*@)?([^\s/?#"'\\]+)[^\s"'\\]*/gi

function partsOf(url: URL): string[] {
  const { username, password, pathname, search, searchParams } = url
  const secret = url.protocol.startsWith('postgres')
    ? [password, ...DATABASE_SECRETS.flatMap((name) => searchParams.getAll(name))]
    : [username, password, pathname + search, ...pathname.split('/'), ...searchParams.values()]
  return secret.flatMap((part) => [part, decode(part)])
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
