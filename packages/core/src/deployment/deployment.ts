import type { LowerCaseAddress } from '../address.ts'
import type { JobEnd } from '../app/AppSpec.ts'
import type { DeploymentPhase } from './phase.ts'

/** A phase that was reached. Texts are a stranger's. */
export interface DeploymentStep {
  phase: DeploymentPhase
  /** Unix milliseconds. */
  at: number
  /** An agent's code where the phase is Failed or Degraded. */
  code?: string | undefined
  message?: string | undefined
}

/** What an operator signs when a deployment gets its image: that it runs no other. */
export interface ImagePromise {
  /** Keccak-256 of the deployment's id. */
  deployment: `0x${string}`
  /** Keccak-256 of the application as its user signed it, or of the number of a preset. */
  spec: `0x${string}`
  /** Digest of the image. */
  image: `0x${string}`
  signature: `0x${string}`
}

/** What an image asks for and is given otherwise, or not at all. */
export const IMAGE_NOTES = ['root', 'volume', 'port', 'health', 'stop_signal'] as const

export interface ImageNote {
  code: (typeof IMAGE_NOTES)[number]
  value: string
}

/** Known of an application once it is on its way; all but `buildLine` and `promise` of one of the renter's own. */
export interface DeploymentDetails {
  /** As it was asked for, and the digest that it had: that one runs, also where the tag moves on. */
  image?: string | undefined
  /** What of the image was fetched, in bytes as they travel. */
  pull?: { bytes: number; totalBytes: number; layers: number; totalLayers: number } | undefined
  /** The newest line of a build, while the image of a preset is made on the machine. */
  buildLine?: string | undefined
  /** Where the ports of the application are reached from outside, at the provider's address. */
  ports?: readonly { protocol: 'tcp' | 'udp'; port: number; outside: number }[] | undefined
  /** With a monitor's record of another image it is paid back as downtime. */
  promise?: ImagePromise | undefined
  notes?: readonly ImageNote[] | undefined
  /** Set for a job: what its signer said of the order after its end. */
  job?: JobEnd | undefined
  /** How a job ended. */
  exit?: { code: number; outOfMemory: boolean } | undefined
}

/** One deploy request of an order and its steps so far, as programs know it. */
export interface Deployment {
  id: string
  orderId: bigint
  /** Of the preset; 0 is a clean. */
  deployId: number
  user: LowerCaseAddress
  provider: LowerCaseAddress
  phase: DeploymentPhase
  steps: readonly DeploymentStep[]
  /** Unix milliseconds. */
  requestedAt: number
  /** Null where the application has no page, or none yet. */
  visitUrl: string | null
  details?: DeploymentDetails | undefined
}
