import { JOB_ENDS } from '@rackfair/app-spec/AppSpec'
import {
  address,
  count,
  countTo,
  fieldsOf,
  flag,
  hash,
  id,
  listOf,
  oneOf,
  optional,
  orNull,
  type Read,
  signature,
  text,
  textOf,
} from '@rackfair/protocol/shape'
import {
  type Deployment,
  type DeploymentDetails,
  type DeploymentStep,
  IMAGE_NOTES,
  type ImageNote,
  type ImagePromise,
} from '@rackfair/rules/deployment/deployment'
import { DEPLOYMENT_PHASES } from '@rackfair/rules/deployment/phase'
import { MAX_DATE_MS } from '@rackfair/rules/limits'

const MAX_STEPS = 100
const MAX_PORTS = 100
const MAX_PORT = 65_535
const MAX_NOTES = 100
const MAX_PLACES = 100

/**
 * A deployment of `GET /v1/orders/{id}/deployment`, `GET /v1/deployments/{id}` and `POST /v1/deployments`.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readDeployment(json: unknown): Deployment {
  const of = fieldsOf(json, 'deployment')
  return {
    id: of('id', textOf(100)),
    orderId: of('orderId', id),
    deployId: of('deployId', count),
    user: of('user', address),
    provider: of('provider', address),
    phase: of('phase', phase),
    steps: of('steps', listOf(step, MAX_STEPS)),
    requestedAt: of('requestedAt', milliseconds),
    visitUrl: of('visitUrl', orNull(text)),
    details: of('details', optional(details)),
  }
}

const milliseconds = countTo(MAX_DATE_MS)
const phase = oneOf(...DEPLOYMENT_PHASES)
const port = countTo(MAX_PORT)

const step: Read<DeploymentStep> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    phase: of('phase', phase),
    at: of('at', milliseconds),
    code: of('code', optional(textOf(40))),
    message: of('message', optional(text)),
  }
}

const details: Read<DeploymentDetails> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    image: of('image', optional(text)),
    pull: of('pull', optional(pull)),
    buildLine: of('buildLine', optional(text)),
    ports: of('ports', optional(listOf(openPort, MAX_PORTS))),
    promise: of('promise', optional(promise)),
    notes: of('notes', optional(listOf(note, MAX_NOTES))),
    job: of('job', optional(oneOf(...JOB_ENDS))),
    exit: of('exit', optional(exit)),
    earlierRuns: of('earlierRuns', optional(flag)),
    waiting: of('waiting', optional(waiting)),
  }
}

const pull: Read<NonNullable<DeploymentDetails['pull']>> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    bytes: of('bytes', count),
    totalBytes: of('totalBytes', count),
    layers: of('layers', count),
    totalLayers: of('totalLayers', count),
  }
}

const openPort: Read<NonNullable<DeploymentDetails['ports']>[number]> = (json, name) => {
  const of = fieldsOf(json, name)
  return { protocol: of('protocol', oneOf('tcp', 'udp')), port: of('port', port), outside: of('outside', port) }
}

const promise: Read<ImagePromise> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    deployment: of('deployment', hash),
    spec: of('spec', hash),
    image: of('image', hash),
    signature: of('signature', signature),
  }
}

const note: Read<ImageNote> = (json, name) => {
  const of = fieldsOf(json, name)
  return { code: of('code', oneOf(...IMAGE_NOTES)), value: of('value', text) }
}

const waiting: Read<NonNullable<DeploymentDetails['waiting']>> = (json, name) => {
  const of = fieldsOf(json, name)
  return { port: of('port', port), listens: of('listens', optional(listOf(place, MAX_PLACES))) }
}

const place: Read<{ address: string; port: number }> = (json, name) => {
  const of = fieldsOf(json, name)
  return { address: of('address', textOf(45)), port: of('port', port) }
}

const exit: Read<NonNullable<DeploymentDetails['exit']>> = (json, name) => {
  const of = fieldsOf(json, name)
  return { code: of('code', countTo(255)), outOfMemory: of('outOfMemory', flag) }
}
