import { JOB_ENDS } from '@rackfair/app-spec/AppSpec'
import { SERVICE_LIMITS } from '@rackfair/app-spec/services/Application'
import { type Deployment, IMAGE_NOTES, SERVICE_STATES } from '@rackfair/rules/deployment/deployment'
import { DEPLOYMENT_PHASES } from '@rackfair/rules/deployment/phase'
import { MAX_DATE_MS } from '@rackfair/rules/limits'
import {
  address,
  count,
  countTo,
  flag,
  hash,
  id,
  listOf,
  object,
  oneOf,
  optional,
  orNull,
  signature,
  textOf,
  type WireOf,
} from './shape.ts'

/** Maximum steps in one report of an agent; the platform keeps twice as many per deployment. */
export const MAX_REPORTED_STEPS = 32
export const MAX_KEPT_STEPS = 64
/** Places at which an application is said to listen; more say no more. */
export const MAX_LISTENS = 8
const MAX_NOTES = 32

const port = /*@__PURE__*/ countTo(65_535)
const milliseconds = /*@__PURE__*/ countTo(MAX_DATE_MS)
/** Name of a service. */
const service = /*@__PURE__*/ textOf(31)
const phase = /*@__PURE__*/ oneOf(...DEPLOYMENT_PHASES)

export const deploymentStep = /*@__PURE__*/ object({
  phase,
  /** Unix milliseconds, within the range of a `Date`. */
  at: milliseconds,
  /** An agent's code if the phase is Failed or Degraded. */
  code: optional(textOf(40)),
  message: optional(textOf(1000)),
})

const promised = {
  /** Keccak-256 of the application as its user signed it, or of the number of a preset. */
  spec: hash,
  /** Digest of the image. */
  image: hash,
  signature,
}
/** What an image promise says of a deployment that is named elsewhere. */
export const promisedImage = /*@__PURE__*/ object(promised)
/**
 * An operator's image promise, signed over `Deployment` when a deployment gets its image: that it runs no other. `deployment` is the
 * Keccak-256 of the deployment's id.
 */
export const imagePromise = /*@__PURE__*/ object({ deployment: hash, ...promised })
export type ImagePromise = WireOf<typeof imagePromise>

/** Details of an application once its deployment is under way; all but `buildLine`, `localName`, `promise` and `waiting` only for the renter's own. */
const deploymentDetails = /*@__PURE__*/ object({
  /** The requested name with the digest it resolved to: that one keeps running even if the tag moves. */
  image: optional(textOf(500)),
  /** Download progress of the image, in compressed bytes. */
  pull: optional(object({ bytes: count, totalBytes: count, layers: count, totalLayers: count })),
  /** The application's name in browsers, where agent and browser share one machine. */
  localName: optional(textOf(63)),
  /** The newest line of a build, while the image of a catalogue application is made on the machine. */
  buildLine: optional(textOf(200)),
  /** Where the application's ports are reachable from outside, at the provider's address. */
  ports: optional(
    listOf(object({ protocol: oneOf('tcp', 'udp'), port, outside: port, service: optional(service) }), SERVICE_LIMITS.ports),
  ),
  /** Of several services: the images that they run, each with its digest; `promise` is of all of them, see `imageList`. */
  images: optional(listOf(object({ service, image: textOf(500), digest: hash }), SERVICE_LIMITS.services)),
  /** What each of several services does now. */
  services: optional(
    listOf(object({ service, state: oneOf(...SERVICE_STATES), code: optional(countTo(255)) }), SERVICE_LIMITS.services),
  ),
  /** The provider's image promise: if a monitor records another image, the time is refunded as downtime. */
  promise: optional(imagePromise),
  /** Requests of the image that are met differently, or not at all. */
  notes: optional(listOf(object({ code: oneOf(...IMAGE_NOTES), value: textOf(200) }), MAX_NOTES)),
  /** Set for a job: what its signer chose to happen to the order after its end. */
  job: optional(oneOf(...JOB_ENDS)),
  /** How a job ended. */
  exit: optional(object({ code: countTo(255), outOfMemory: flag })),
  /** It failed before it replaced the application that ran, and that one goes on. */
  earlierRuns: optional(flag),
  /** What is seen of an application that has not answered for some seconds: the port at which it is asked, and where it listens inside. */
  waiting: optional(object({ port, listens: optional(listOf(object({ address: textOf(45), port }), MAX_LISTENS)) })),
})
export type DeploymentDetails = WireOf<typeof deploymentDetails>

const fields = {
  id: /*@__PURE__*/ textOf(100),
  orderId: id,
  /** Id of the preset; 0 is a clean. */
  deployId: count,
  user: address,
  provider: address,
  phase,
  /** Unix milliseconds. */
  requestedAt: milliseconds,
  /** Null if the application has no page, or none yet. */
  visitUrl: /*@__PURE__*/ orNull(textOf(1000)),
  details: /*@__PURE__*/ optional(deploymentDetails),
}

/** One deployment of an order with its steps so far. */
export const deploymentShape = /*@__PURE__*/ object({ ...fields, steps: listOf(deploymentStep, MAX_KEPT_STEPS) })
export type DeploymentWire = WireOf<typeof deploymentShape>

/** An agent's report on a deployment: the newest steps suffice, because the platform keeps earlier ones. */
export const deploymentReport = /*@__PURE__*/ object({
  ...fields,
  id: textOf(64),
  visitUrl: orNull(textOf(500)),
  steps: listOf(deploymentStep, MAX_REPORTED_STEPS),
})
export type DeploymentReport = WireOf<typeof deploymentReport>

/** The event for a change: its newest step. For all steps, read the deployment. */
export const deploymentNews = /*@__PURE__*/ object({ ...fields, step: deploymentStep })
export type DeploymentNews = WireOf<typeof deploymentNews>

/**
 * A deployment of `GET /v1/orders/{id}/deployment`, `GET /v1/deployments/{id}` and `POST /v1/deployments`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export const readDeployment = (json: unknown): Deployment => deploymentShape(json, 'deployment')
