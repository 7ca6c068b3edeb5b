import { APP_LIMITS, JOB_ENDS } from '@rackfair/app-spec/AppSpec'
import { IMAGE_NOTES } from '@rackfair/rules/deployment/deployment'
import { DEPLOYMENT_PHASES } from '@rackfair/rules/deployment/phase'
import { MAX_DATE_MS } from '@rackfair/rules/limits'
import { z } from 'zod'
import { MAX_DEPLOY_TEXT_LENGTH } from './deployText.ts'
import { addressString, count, idString, signatureString } from './scalars.ts'
import { imagePromise } from './uptime.ts'

export const deploymentPhase = z.enum(DEPLOYMENT_PHASES)

/**
 * Body of `POST /v1/deployments`: exactly what the wallet signed, the signature, and the preimages of the text's hashes: `sealed` holds the
 * environment values (settings of a preset, or the secret values of an own application) as `envText` writes them, sealed by HPKE to the
 * agent's announced key and to the text, in base64url; `app` is the specification of the renter's own application, as `appText` writes it.
 * Plaintext values are not allowed.
 */
export const deploymentRequest = z.strictObject({
  text: z.string().min(1).max(MAX_DEPLOY_TEXT_LENGTH),
  signature: signatureString,
  sealed: z
    .string()
    .regex(/^[0-9A-Za-z_-]{64,}$/)
    .max(APP_LIMITS.sealedLength)
    .optional(),
  app: z.string().min(2).max(APP_LIMITS.bytes).optional(),
})
export type DeploymentRequest = z.infer<typeof deploymentRequest>

export const deploymentStep = z.object({
  phase: deploymentPhase,
  /** Unix milliseconds, within the range of a `Date`. */
  at: count.max(MAX_DATE_MS),
  /** An agent's code if the phase is Failed or Degraded. */
  code: z.string().max(40).optional(),
  message: z.string().max(1000).optional(),
})

/** Places at which an application is said to listen; more say no more. */
export const MAX_LISTENS = 8

/** Download progress of an image, in compressed bytes. */
const pullProgress = z.object({ bytes: count, totalBytes: count, layers: count, totalLayers: count })

/** Details of an application once its deployment is under way; all but `buildLine` and `waiting` only for the renter's own. */
export const deploymentDetails = z.object({
  /** The requested name with the digest it resolved to: that one keeps running even if the tag moves. */
  image: z.string().max(500).optional(),
  pull: pullProgress.optional(),
  /** The newest line of a build, while the image of a catalogue application is made on the machine. */
  buildLine: z.string().max(200).optional(),
  /** Where the application's ports are reachable from outside, at the provider's address. */
  ports: z
    .array(z.object({ protocol: z.enum(['tcp', 'udp']), port: count.max(65_535), outside: count.max(65_535) }))
    .max(APP_LIMITS.ports)
    .optional(),
  /** The provider's image promise: if a monitor records another image, the time is refunded as downtime. */
  promise: imagePromise.optional(),
  /** Requests of the image that are met differently, or not at all. */
  notes: z
    .array(z.object({ code: z.enum(IMAGE_NOTES), value: z.string().max(200) }))
    .max(32)
    .optional(),
  /** Set for a job: what its signer chose to happen to the order after its end. */
  job: z.enum(JOB_ENDS).optional(),
  /** How a job ended. */
  exit: z.object({ code: count.max(255), outOfMemory: z.boolean() }).optional(),
  /** It failed before it replaced the application that ran, and that one goes on. */
  earlierRuns: z.boolean().optional(),
  /** What is seen of an application that has not answered for some seconds: the port at which it is asked, and where it listens inside. */
  waiting: z
    .object({
      port: count.max(65_535),
      listens: z
        .array(z.object({ address: z.string().max(45), port: count.max(65_535) }))
        .max(MAX_LISTENS)
        .optional(),
    })
    .optional(),
})
export type DeploymentDetails = z.infer<typeof deploymentDetails>

/** One deployment of an order with its steps so far. `deployId` 0 is a clean. */
export const deploymentWire = z.object({
  id: z.string(),
  orderId: idString,
  deployId: count,
  user: addressString,
  provider: addressString,
  phase: deploymentPhase,
  steps: z.array(deploymentStep),
  requestedAt: count,
  visitUrl: z.string().nullable(),
  details: deploymentDetails.optional(),
})
export type DeploymentWire = z.infer<typeof deploymentWire>

/** Maximum steps in one report of an agent; the platform keeps twice as many per deployment. */
export const MAX_REPORTED_STEPS = 32
export const MAX_KEPT_STEPS = 64
/** An agent's report on a deployment: the newest steps suffice, because the platform keeps earlier ones. */
export const deploymentReport = deploymentWire.extend({
  id: z.string().max(64),
  steps: z.array(deploymentStep).max(MAX_REPORTED_STEPS),
  visitUrl: z.string().max(500).nullable(),
})
export type DeploymentReport = z.infer<typeof deploymentReport>

/** The event for a change: its newest step. For all steps, read the deployment. */
export const deploymentNews = deploymentWire.omit({ steps: true }).extend({ step: deploymentStep })
export type DeploymentNews = z.infer<typeof deploymentNews>
