import { isVerified } from '@rackfair/hardware/verification'
import type { NodeVerification } from '@rackfair/rules/node/node'

export type HardwareState = 'verified' | 'old' | 'failed' | 'unmeasured'

/** What may be claimed of a machine now. The platform counts by the chain's clock and this page by its own: both have to agree. */
export function hardwareState(verification: NodeVerification | null | undefined, now: number): HardwareState {
  if (!verification) return 'unmeasured'
  if (verification.outcome === 'failed') return 'failed'
  return verification.verified && isVerified(verification, now) ? 'verified' : 'old'
}
