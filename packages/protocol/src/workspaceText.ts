import { lowerCaseAddress } from '@rackfair/rules/address'
/**
 * What a wallet signs once per order and browser: until it expires, a key of that browser may do what the text names. An ERC-4361 text, so
 * that wallets can show it and warn if a site other than `domain` asks. The provider's agent verifies it against the chain.
 */
export interface WorkspaceGrant {
  /** The requesting page, for example `https://market.example`. */
  site: string
  wallet: string
  chainId: number
  /** `MACHINES` for the provider's own view of its machines. */
  orderId: bigint
  provider: string
  /** Origin of the provider's gateway. */
  gateway: string
  /** The browser's public key: the 65 bytes of a P-256 point, in base64url. */
  key: string
  /** Letters and digits, 8 to 64 of them. */
  nonce: string
  /** Unix seconds. */
  issuedAt: number
  expiresAt: number
}

/**
 * Not the id of any order. The provider's own wallet signs for it, to read the load of its machines; it grants no access to a renter's
 * data.
 */
export const MACHINES = 0n

/** With the longest site and gateway, each of which it names twice, a text has 1,799 characters. */
export const MAX_WORKSPACE_TEXT_LENGTH = 1800
/** Maximum lifetime of a signature. */
export const MAX_WORKSPACE_SECONDS = 7 * 86_400

const ORIGIN = 'https?://[^\\s/?#@\\\\]{1,260}'
const TIME = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ'
const SHAPE = new RegExp(
  `^[^\\n]+\n(0x[0-9a-fA-F]{40})\n\n[^\\n]+\n\nURI: (${ORIGIN})\nVersion: 1\nChain ID: ([1-9]\\d{0,9})\nNonce: ([0-9A-Za-z]{8,64})\nIssued At: (${TIME})\nExpiration Time: (${TIME})\nResources:\n(?:- urn:rackfair:order:([1-9]\\d{0,19})\n)?- urn:rackfair:provider:(0x[0-9a-f]{40})\n- urn:rackfair:key:([0-9A-Za-z_-]{87})\n(?:- urn:rackfair:may:[a-z]+\n){1,2}- (${ORIGIN})$`,
)

export function formatWorkspaceText(grant: WorkspaceGrant): string {
  const { site, wallet, orderId, gateway } = grant
  const isMachines = orderId === MACHINES
  const statement = isMachines
    ? `This browser may read how the machines behind ${gateway} are used and how hot they are, until the time below. It costs nothing, moves no money and opens nothing of a renter.`
    : `This browser may open the application of order ${orderId} at ${gateway}, and use its logs, terminal, files and usage, until the time below. It costs nothing and moves no money.`
  const rights = isMachines ? ['machines'] : ['visit', 'workspace']
  return `${hostOf(site)} wants you to sign in with your Ethereum account:
${wallet}

${statement}

URI: ${site}
Version: 1
Chain ID: ${grant.chainId}
Nonce: ${grant.nonce}
Issued At: ${timeText(grant.issuedAt)}
Expiration Time: ${timeText(grant.expiresAt)}
Resources:
${isMachines ? '' : `- urn:rackfair:order:${orderId}\n`}- urn:rackfair:provider:${lowerCaseAddress(grant.provider)}
- urn:rackfair:key:${grant.key}
${rights.map((right) => `- urn:rackfair:may:${right}`).join('\n')}
- ${gateway}`
}

/** Parses the text. `undefined` for anything but the exact form. */
export function parseWorkspaceText(text: string): WorkspaceGrant | undefined {
  if (text.length > MAX_WORKSPACE_TEXT_LENGTH) return undefined
  const match = SHAPE.exec(text)
  if (!match) return undefined
  const part = (index: number) => match[index] as string
  const grant: WorkspaceGrant = {
    wallet: part(1),
    site: part(2),
    chainId: Number(part(3)),
    nonce: part(4),
    issuedAt: Date.parse(part(5)) / 1000,
    expiresAt: Date.parse(part(6)) / 1000,
    orderId: match[7] === undefined ? MACHINES : BigInt(match[7]),
    provider: part(8),
    key: part(9),
    gateway: part(10),
  }
  if (Number.isNaN(grant.issuedAt) || Number.isNaN(grant.expiresAt)) return undefined
  return formatWorkspaceText(grant) === text ? grant : undefined
}

/** What a browser's key signs to open the order's application once. `nonce` is 32 hex digits, `time` unix seconds. */
export function formatVisitTicket(facts: { orderId: bigint; gateway: string; nonce: string; time: number }): string {
  return `rackfair ticket\norder: ${facts.orderId}\ngateway: ${facts.gateway}\nnonce: ${facts.nonce}\ntime: ${facts.time}`
}

/** What a browser's key signs to begin a session with the agent. `binding` is unique to the session, 64 hex digits; `time` unix seconds. */
export function formatSessionProof(facts: {
  orderId: bigint
  provider: string
  nonce: string
  time: number
  binding: string
}): string {
  const { orderId, provider, nonce, time, binding } = facts
  return `rackfair session\norder: ${orderId}\nprovider: ${lowerCaseAddress(provider)}\nnonce: ${nonce}\ntime: ${time}\nbinding: ${binding}`
}

const hostOf = (site: string): string => site.replace(/^https?:\/\//, '')
const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
