import type { VisitTicket } from '@rackfair/protocol/workspace'
import { formatVisitTicket, formatWorkspaceText, MAX_WORKSPACE_SECONDS } from '@rackfair/protocol/workspaceText'
import { type LowerCaseAddress, lowerCaseAddress } from '@rackfair/rules/address'
import type { Address, Hex } from 'viem'
import { serverSeconds } from '../serverClock.ts'

const P256 = { name: 'ECDSA', namedCurve: 'P-256' } as const
const SIGNATURE = { name: 'ECDSA', hash: 'SHA-256' } as const

type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The key of one browser or program for one order, and the wallet's signature for it. */
export interface WorkspaceKey {
  privateKey: PrivateKey
  grant: string
  signature: Hex
  orderId: string
  gateway: string
  /** Unix seconds. */
  expiresAt: number
}

/** The application to open, and its owner. */
export interface VisitPlace {
  chainId: number
  orderId: string
  /** As shown in the text that it signs. */
  wallet: Address
  provider: LowerCaseAddress
  /** The Visit link at the provider's gateway. */
  link: string
}

/** The name to store a key under: the key is valid for this order, wallet, provider and gateway only. */
export const keyName = (place: VisitPlace): string =>
  [place.chainId, place.orderId, lowerCaseAddress(place.wallet), place.provider, gatewayOf(place)].join(' ')

const gatewayOf = ({ link }: Pick<VisitPlace, 'link'>): string => new URL(link).origin

/**
 * Creates a key and has the wallet sign that it may use the order's workspace, for at most seven days. `undefined` if the user refuses.
 *
 * @param site the requesting page or program, as an origin; wallets show it.
 * @param options.extractable whether the key can be exported, for a program that keeps it in a file. Defaults to false: a key of a browser
 * cannot leave it.
 * @throws what `signText` throws.
 * @example const key = await makeWorkspaceKey(place, 'https://market.example', (message) => account.signMessage({ message }))
 */
export async function makeWorkspaceKey(
  place: VisitPlace,
  site: string,
  signText: (text: string) => Promise<Hex | undefined>,
  options: { extractable?: boolean } = {},
): Promise<WorkspaceKey | undefined> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(P256, options.extractable ?? false, ['sign', 'verify'])
  const { chainId, orderId, wallet, provider } = place
  const gateway = gatewayOf(place)
  const issuedAt = serverSeconds()
  const expiresAt = issuedAt + MAX_WORKSPACE_SECONDS
  const grant = formatWorkspaceText({
    ...{ site, wallet, chainId, orderId: BigInt(orderId), provider, gateway, issuedAt, expiresAt },
    key: base64url(new Uint8Array(await crypto.subtle.exportKey('raw', publicKey))),
    nonce: randomHex(16),
  })
  const signature = await signText(grant)
  return signature && { privateKey, grant, signature, orderId, gateway, expiresAt }
}

/** Exports a key as text, for a file that only its owner can read. @throws DOMException for a non-extractable key. */
export async function exportWorkspaceKey({ privateKey, ...rest }: WorkspaceKey): Promise<string> {
  return JSON.stringify({ ...rest, jwk: await crypto.subtle.exportKey('jwk', privateKey) })
}

/** Parses exported text; undefined if it is not a key. */
export async function importWorkspaceKey(text: string): Promise<WorkspaceKey | undefined> {
  try {
    const { jwk, ...rest } = JSON.parse(text)
    return { ...rest, privateKey: await crypto.subtle.importKey('jwk', jwk, P256, true, ['sign']) }
  } catch {
    return undefined
  }
}

/** A single-use URL that opens the application. The ticket is in the fragment after `#`, which no server and no log sees. */
export async function ticketLink(key: WorkspaceKey, { link }: Pick<VisitPlace, 'link'>): Promise<string> {
  const nonce = randomHex(16)
  const time = serverSeconds()
  const text = formatVisitTicket({ orderId: BigInt(key.orderId), gateway: key.gateway, nonce, time })
  const { grant, signature } = key
  const ticket: VisitTicket = { grant, signature, nonce, time, proof: await signWithKey(key, text) }
  const { search } = new URL(link)
  return `${key.gateway}/.rackfair/open${search}#${base64url(new TextEncoder().encode(JSON.stringify(ticket)))}`
}

/** Signs a text with the key: ECDSA over SHA-256, r and s, in base64url. */
export async function signWithKey(key: WorkspaceKey, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(SIGNATURE, key.privateKey, new TextEncoder().encode(text))
  return base64url(new Uint8Array(signature))
}

export const randomHex = (bytes: number): string => hexOf(crypto.getRandomValues(new Uint8Array(bytes)))

export const hexOf = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const base64url = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
