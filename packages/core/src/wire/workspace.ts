import { z } from 'zod'
import { MAX_WORKSPACE_TEXT_LENGTH } from '../workspaceText.ts'
import { unixSeconds } from './scalars.ts'

/** What a page hands to a gateway to open a protected application once: the wallet's grant, and the key's signature of a ticket. */
export const visitTicket = z.strictObject({
  grant: z.string().min(1).max(MAX_WORKSPACE_TEXT_LENGTH),
  /** Of the wallet. */
  signature: z.string().regex(/^0x([0-9a-fA-F]{2}){65,4096}$/),
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  time: unixSeconds,
  /** Of the key that the grant names: ECDSA P-256 over SHA-256, r and s, in base64url. */
  proof: z.string().regex(/^[0-9A-Za-z_-]{86}$/),
})
export type VisitTicket = z.infer<typeof visitTicket>
