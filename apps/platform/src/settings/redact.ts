/**
 * Takes what is secret about these addresses out of a text: user, password, path and query of each, which is where services put
 * their keys. Of a database only the passwords are secret: its name is often the market's, which stands in any line. Any other
 * address that stands in the text loses its path and query too.
 */
export function redactor(secret: readonly (string | undefined)[]): (text: string) => string {
  const parts = secret.flatMap((address) => (address !== undefined && URL.canParse(address) ? partsOf(new URL(address)) : []))
  const hidden = [...new Set(parts)].filter((part) => part.length >= MIN_SECRET_LENGTH).sort((a, b) => b.length - a.length)
  return (text) => {
    const bare = text.replace(ADDRESS, (_, scheme: string, host: string) => `${scheme}${host}`)
    return hidden.reduce((rest, part) => rest.replaceAll(part, '[hidden]'), bare)
  }
}

/** Shorter parts, such as a path of one slash, are no key, and stand in every other text. */
const MIN_SECRET_LENGTH = 6
/** What libpq takes in the query of an address. */
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
