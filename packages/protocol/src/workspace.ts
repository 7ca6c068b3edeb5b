import { z } from 'zod'
import { MAX_ANNOUNCEMENT_LENGTH } from './agentTexts.ts'
import { signatureString, unixSeconds } from './scalars.ts'
import { MAX_WORKSPACE_TEXT_LENGTH } from './workspaceText.ts'

/** What a page passes to a gateway to open a protected application once: the wallet's grant, and the key's signature of a ticket. */
export const visitTicket = z.strictObject({
  grant: z.string().min(1).max(MAX_WORKSPACE_TEXT_LENGTH),
  /** Of the wallet. */
  signature: signatureString,
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  time: unixSeconds,
  /** By the key that the grant names: ECDSA P-256 over SHA-256, r and s, in base64url. */
  proof: z.string().regex(/^[0-9A-Za-z_-]{86}$/),
})
export type VisitTicket = z.infer<typeof visitTicket>

/** The sealed first message of a browser in a session: the grant, and the key's signature of this session. */
export const workspaceHello = visitTicket.extend({})
export type WorkspaceHello = VisitTicket

/** An agent's public keys under its operator's signature. Texts: `formatAnnouncedKeys`. */
export const announcedKeys = z.object({
  text: z.string().max(MAX_ANNOUNCEMENT_LENGTH),
  signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
})
export type AnnouncedKeysWire = z.infer<typeof announcedKeys>

/** Where to reach the workspaces of a provider's orders. */
export const workspacePlace = z.object({
  /** Null until the agent has announced them. */
  keys: announcedKeys.nullable(),
  /** URL of the WebSocket at the process that holds the agent's connection; null while there is none. */
  url: z.string().nullable(),
})
export type WorkspacePlace = z.infer<typeof workspacePlace>

/** Requests of a renter on the list of keys. */
export const workspaceKeysRequest = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('list') }),
  z.strictObject({ action: z.literal('revoke'), key: z.string().max(100) }),
])
