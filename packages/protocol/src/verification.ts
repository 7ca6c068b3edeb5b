import { z } from 'zod'
import { count, unixSeconds } from './scalars.ts'

/** What monitors agree on for a node's hardware. */
export const verificationWire = z.object({
  outcome: z.enum(['passed', 'failed']),
  hardwareClass: count,
  /** Whether it passed and is at most eight days old. */
  verified: z.boolean(),
  /** Unix seconds of the newest test that enough monitors took part in. */
  time: unixSeconds,
  agreed: count,
  needed: count,
  memoryBytes: count,
  cores: count,
  /** GPUs whose memory was measured; 0 if none was. */
  gpus: count,
})
export type VerificationWire = z.infer<typeof verificationWire>
