import { formatVisitTicket, formatWorkspaceText, MAX_WORKSPACE_SECONDS, parseWorkspaceText } from '@rackfair/core'
import type { VisitTicket } from '@rackfair/core/wire'
import type { Address, Hex } from 'viem'
import { readKey, type WorkspaceKey, writeKey } from './keyStore.ts'

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const
/** A key that ends sooner is made anew. */
const LEAST_SECONDS = 600

/** Whose application is opened, and where. */
export interface VisitPlace {
  chainId: number
  orderId: string
  wallet: Address
  provider: string
  /** The Visit link at the provider's gateway. */
  link: string
}

/** Only pages with TLS and pages of this very machine can make keys. */
export const canMakeKeys = (): boolean => globalThis.crypto?.subtle !== undefined

const gatewayOf = ({ link }: VisitPlace): string => new URL(link).origin
const nameOf = (place: VisitPlace): string =>
  [place.chainId, place.orderId, place.wallet.toLowerCase(), place.provider.toLowerCase(), gatewayOf(place)].join(' ')
const now = (): number => Math.floor(Date.now() / 1000)

/** The key that the wallet has signed for in this browser; undefined when it has to sign. */
export async function findWorkspaceKey(place: VisitPlace): Promise<WorkspaceKey | undefined> {
  const key = await readKey(nameOf(place))
  // A text of an older form is not understood any more.
  return key && key.expiresAt - now() > LEAST_SECONDS && parseWorkspaceText(key.grant) ? key : undefined
}

/** Makes a key that cannot leave this browser, and has the wallet sign for it. Undefined when the person says no. */
export async function makeWorkspaceKey(
  place: VisitPlace,
  signText: (text: string) => Promise<Hex | undefined>,
): Promise<WorkspaceKey | undefined> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(P256, false, ['sign', 'verify'])
  const { chainId, orderId, wallet, provider } = place
  const gateway = gatewayOf(place)
  const issuedAt = now()
  const expiresAt = issuedAt + MAX_WORKSPACE_SECONDS
  const grant = formatWorkspaceText({
    ...{ site: window.location.origin, wallet, chainId, orderId: BigInt(orderId), provider, gateway, issuedAt, expiresAt },
    key: base64url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))),
    nonce: randomHex(16),
  })
  const signature = await signText(grant)
  if (!signature) return undefined
  const key = { privateKey, grant, signature, orderId, gateway, expiresAt }
  await writeKey(nameOf(place), key)
  return key
}

/** An address that opens the application once. What lets one in is behind the `#`, which no server and no log sees. */
export async function ticketLink(key: WorkspaceKey, { link }: VisitPlace): Promise<string> {
  const nonce = randomHex(16)
  const time = now()
  const text = formatVisitTicket({ orderId: BigInt(key.orderId), gateway: key.gateway, nonce, time })
  const { grant, signature } = key
  const ticket: VisitTicket = { grant, signature, nonce, time, proof: await signWithKey(key, text) }
  const { search } = new URL(link)
  return `${key.gateway}/.rackfair/open${search}#${base64url(new TextEncoder().encode(JSON.stringify(ticket)))}`
}

/** The key's signature of a text: ECDSA over SHA-256, r and s, in base64url. */
export async function signWithKey(key: WorkspaceKey, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(SIGNATURE, key.privateKey, new TextEncoder().encode(text))
  return base64url(new Uint8Array(signature))
}

export const randomHex = (bytes: number): string =>
  [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
