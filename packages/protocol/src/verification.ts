import { count, flag, object, oneOf, seconds, type WireOf } from './shape.ts'

/** What monitors agree on for a node's hardware. */
export const verification = object({
  outcome: oneOf('passed', 'failed'),
  hardwareClass: count,
  /** Whether it passed and is at most eight days old. */
  verified: flag,
  /** Unix seconds of the newest test that enough monitors took part in. */
  time: seconds,
  /** Monitors that agree, and how many have to. */
  agreed: count,
  needed: count,
  memoryBytes: count,
  cores: count,
  /** GPUs whose memory was measured; 0 if none was. */
  gpus: count,
})
export type VerificationWire = WireOf<typeof verification>
