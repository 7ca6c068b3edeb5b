/** What an account signs to sign in on a site (ERC-4361). Times are unix seconds. */
export interface SignInText {
  /** The authority of the site as a browser shows it, `URL.host`: any name or address, with its port unless that is the scheme's own. */
  domain: string
  address: string
  /** The origin of the site. */
  uri: string
  chainId: number
  nonce: string
  issuedAt: number
}

/** Any text of ERC-4361: other programs set more than `formatSignInText`. */
export interface ReadSignInText extends SignInText {
  address: `0x${string}`
  scheme: string | undefined
  expiresAt: number | undefined
  notBefore: number | undefined
}

const NONCE = '[a-zA-Z0-9]{8,96}'
const TIME = '(\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d{1,9})?(?:Z|[+-]\\d\\d:\\d\\d))'
const SHAPE = new RegExp(
  [
    '^(?:([a-zA-Z][a-zA-Z0-9+.-]*)://)?([^\\s/?#]+) wants you to sign in with your Ethereum account:\\n(0x[0-9a-fA-F]{40})\\n\\n(?:[^\\n]+\\n)?',
    `\\nURI: (\\S+)\\nVersion: 1\\nChain ID: ([1-9]\\d{0,14})\\nNonce: (${NONCE})\\nIssued At: ${TIME}`,
    `(?:\\nExpiration Time: ${TIME})?(?:\\nNot Before: ${TIME})?(?:\\nRequest ID: [^\\n]*)?(?:\\nResources:(?:\\n- \\S+)*)?$`,
  ].join(''),
)

/**
 * Writes the text to sign. The nonce is a platform's, which must not write a line of it.
 *
 * @example formatSignInText({ domain: location.host, uri: location.origin, address, chainId: 2985, nonce, issuedAt: 1_796_090_400 })
 * @throws RangeError for a nonce that is not 8 to 96 letters and digits.
 */
export function formatSignInText({ domain, address, uri, chainId, nonce, issuedAt }: SignInText): string {
  if (!new RegExp(`^${NONCE}$`).test(nonce)) throw new RangeError('a nonce has 8 to 96 letters and digits')
  const head = `${domain} wants you to sign in with your Ethereum account:\n${address}`
  const facts = [`URI: ${uri}`, 'Version: 1', `Chain ID: ${chainId}`, `Nonce: ${nonce}`]
  const time = `Issued At: ${new Date(issuedAt * 1000).toISOString()}`
  return `${head}\n\nSign in to Rackfair. This costs nothing and moves no money.\n\n${[...facts, time].join('\n')}`
}

/**
 * Reads a text. `undefined` for anything that is not of the standard's exact form. What is written in it, its domain before all, has to be
 * compared by the caller.
 */
export function parseSignInText(text: string): ReadSignInText | undefined {
  const match = SHAPE.exec(text)
  if (!match) return undefined
  const [, scheme, domain = '', address, uri = '', chainId, nonce = '', ...times] = match
  const [issuedAt, expiresAt, notBefore] = times.map((time) => (time === undefined ? undefined : Date.parse(time) / 1000))
  if (issuedAt === undefined || [issuedAt, expiresAt, notBefore].some(Number.isNaN)) return undefined
  return {
    scheme,
    domain,
    address: address as `0x${string}`,
    uri,
    chainId: Number(chainId),
    nonce,
    issuedAt,
    expiresAt,
    notBefore,
  }
}
