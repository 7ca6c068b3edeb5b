import type { JobEnd } from '@rackfair/app-spec/AppSpec'
import type { LowerCaseAddress } from '../address.ts'
import type { DeploymentPhase } from './phase.ts'
import type { Waiting } from './waiting.ts'

/** A phase that was reached. Its texts are untrusted. */
export interface DeploymentStep {
  phase: DeploymentPhase
  /** Unix milliseconds. */
  at: number
  /** An agent's code if the phase is Failed or Degraded. */
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

/** Requests of an image that are met differently, or not at all. */
export const IMAGE_NOTES = ['root', 'volume', 'port', 'health', 'stop_signal'] as const

/** `waiting` for others that it starts after, `running`, `done` if it ended as it should, or `ended` and about to be started again. */
export const SERVICE_STATES = ['waiting', 'running', 'done', 'ended'] as const

export interface ServiceNow {
  service: string
  state: (typeof SERVICE_STATES)[number]
  /** With which code it ended. */
  code?: number | undefined
}

export interface ImageNote {
  code: (typeof IMAGE_NOTES)[number]
  value: string
}

/** Details of an application once its deployment is under way; all but `buildLine`, `localName`, `promise` and `waiting` only for the renter's own. */
export interface DeploymentDetails {
  /** The requested name with the digest it resolved to: that one keeps running even if the tag moves. */
  image?: string | undefined
  /** Download progress of the image, in compressed bytes. */
  pull?: { bytes: number; totalBytes: number; layers: number; totalLayers: number } | undefined
  /** The application's name in browsers, where agent and browser share one machine. */
  localName?: string | undefined
  /** The newest line of a build, while the image of a preset is made on the machine. */
  buildLine?: string | undefined
  /** Where the application's ports are reachable from outside, at the provider's address. */
  ports?: readonly { protocol: 'tcp' | 'udp'; port: number; outside: number; service?: string | undefined }[] | undefined
  /** Of several services: the images that they run, each with its digest. */
  images?: readonly { service: string; image: string; digest: `0x${string}` }[] | undefined
  /** What each of several services does now, the main one first. */
  services?: readonly ServiceNow[] | undefined
  /** If a monitor records another image, the time is refunded as downtime. */
  promise?: ImagePromise | undefined
  notes?: readonly ImageNote[] | undefined
  /** Set for a job: what its signer chose to happen to the order after its end. */
  job?: JobEnd | undefined
  /** How a job ended. */
  exit?: { code: number; outOfMemory: boolean } | undefined
  /** It failed before it replaced the application that ran, and that one goes on. */
  earlierRuns?: boolean | undefined
  /** Set while the application starts and has not answered for some seconds. */
  waiting?: Waiting | undefined
}

/** One deploy request of an order and its steps so far, as a domain value. */
export interface Deployment {
  id: string
  orderId: bigint
  /** Id of the preset; 0 is a clean. */
  deployId: number
  user: LowerCaseAddress
  provider: LowerCaseAddress
  phase: DeploymentPhase
  steps: readonly DeploymentStep[]
  /** Unix milliseconds. */
  requestedAt: number
  /** Null if the application has no page, or none yet. */
  visitUrl: string | null
  details?: DeploymentDetails | undefined
}
