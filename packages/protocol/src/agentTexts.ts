import { lowerCaseAddress } from '@rackfair/rules/address'
/**
 * What an agent signs with its operator key to authenticate a connection to the platform. `challenge` is the platform's random hex, and
 * `platform` the origin that the agent is configured for: another platform cannot use the signature to log in as the agent.
 */
export function formatAgentChallenge(facts: { chainId: number; provider: string; platform: string; challenge: string }): string {
  const { chainId, provider, platform, challenge } = facts
  return `rackfair agent\nchain: ${chainId}\nprovider: ${lowerCaseAddress(provider)}\nplatform: ${platform}\nchallenge: ${challenge}`
}

/**
 * What an agent signs when a client asks who it is, at its registered address or at a name. `challenge` is the client's random hex.
 * `certificate` is the SHA-256, in hex, of the one that the agent has shown on this very connection, where it ends TLS itself: a client that
 * has seen another one speaks with somebody in between.
 */
export function formatGatewayProof(facts: {
  chainId: number
  provider: string
  challenge: string
  certificate?: string | undefined
}): string {
  const { chainId, provider, challenge, certificate } = facts
  const text = `rackfair gateway\nchain: ${chainId}\nprovider: ${lowerCaseAddress(provider)}\nchallenge: ${challenge}`
  return certificate === undefined ? text : `${text}\ncertificate: ${certificate}`
}

/** What a buyer signs to open a protected application at the provider's gateway. `nonce` is the gateway's random hex. */
export function formatGatewaySignIn(facts: { orderId: bigint; origin: string; nonce: string; time: number }): string {
  return `rackfair visit\norder: ${facts.orderId}\norigin: ${facts.origin}\nnonce: ${facts.nonce}\ntime: ${facts.time}`
}

/** An agent's public keys for sealing: raw keys in base64url, P-256 for browsers without X25519. */
export interface AnnouncedKeys {
  chainId: number
  provider: string
  x25519: string
  p256: string
  /** Unix seconds after which nobody seals to them. */
  expiresAt: number
}

/** How long an announcement is valid. An agent makes a new one for each connection. */
export const MAX_ANNOUNCED_SECONDS = 7 * 86_400
export const MAX_ANNOUNCEMENT_LENGTH = 400

const KEYS =
  /^rackfair encryption keys\nchain: ([1-9]\d{0,9})\nprovider: (0x[0-9a-f]{40})\nx25519: ([0-9A-Za-z_-]{43})\np256: ([0-9A-Za-z_-]{87})\nuntil: ([1-9]\d{0,11})$/

/** What an agent signs with its operator key, so that an intermediary cannot substitute other keys. */
export function formatAnnouncedKeys({ chainId, provider, x25519, p256, expiresAt }: AnnouncedKeys): string {
  return `rackfair encryption keys\nchain: ${chainId}\nprovider: ${lowerCaseAddress(provider)}\nx25519: ${x25519}\np256: ${p256}\nuntil: ${expiresAt}`
}

/** Parses the text. `undefined` for anything but the exact form. */
export function parseAnnouncedKeys(text: string): AnnouncedKeys | undefined {
  const match = text.length <= MAX_ANNOUNCEMENT_LENGTH ? KEYS.exec(text) : null
  if (!match) return undefined
  const [, chain, provider = '', x25519 = '', p256 = '', until] = match
  return { chainId: Number(chain), provider, x25519, p256, expiresAt: Number(until) }
}

/** The host key of an agent's SSH server, as in a `known_hosts` file: `ssh-ed25519 AAAA…`. */
export interface SshHostKey {
  chainId: number
  provider: string
  key: string
}

const SSH_HOST =
  /^rackfair ssh host key\nchain: ([1-9]\d{0,9})\nprovider: (0x[0-9a-f]{40})\nkey: (ssh-ed25519 [0-9A-Za-z+/]{68})$/

/** What an agent signs with its operator key, so that a renter knows the host key of an order's SSH server before the first connection. */
export function formatSshHostKey({ chainId, provider, key }: SshHostKey): string {
  return `rackfair ssh host key\nchain: ${chainId}\nprovider: ${lowerCaseAddress(provider)}\nkey: ${key}`
}

/** Parses the text. `undefined` for anything but the exact form. */
export function parseSshHostKey(text: string): SshHostKey | undefined {
  const match = SSH_HOST.exec(text)
  if (!match) return undefined
  const [, chain, provider = '', key = ''] = match
  return { chainId: Number(chain), provider, key }
}

/** Binds a session to both ends: a hello for one agent does not open at another. */
export const sessionContext = ({ chainId, provider }: { chainId: number; provider: string }): string =>
  `rackfair\nchain: ${chainId}\nprovider: ${lowerCaseAddress(provider)}`
