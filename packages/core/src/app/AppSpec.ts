/** An application that a renter brings: an image of any registry and how it is started. What it does not name it does not get. */
export interface AppSpec {
  /** Registry, name, and a tag or a digest, written out: `docker.io/library/redis:7`. */
  image: string
  /** In place of the image's entry point. */
  command?: readonly string[]
  /** In place of the image's command. */
  args?: readonly string[]
  /** Plain values, part of what is signed. */
  env: Readonly<Record<string, string>>
  /** Names of values that travel beside the specification and never stand in it. */
  secrets: readonly string[]
  ports: readonly AppPort[]
  /** Folders on the order's disk that outlive a redeploy. */
  volumes: readonly string[]
  /** Inside: a name of the image's or a number, and a group after a colon. Without, the image's own. */
  user?: string
  workdir?: string
  /** For an image that is not public. `password` names one of the values that travel beside; the application is not given it. */
  registry?: { username: string; password: string }
  job?: JobEnd
  sandbox?: Sandbox
}

/**
 * Of an application that runs to its end, and is not started again then: what becomes of the order. `cancel` is the signer's word that it
 * may be cancelled for the rest of the money; whoever holds the wallet's key does it.
 */
export type JobEnd = (typeof JOB_ENDS)[number]
export const JOB_ENDS = ['keep', 'cancel'] as const

export interface AppPort {
  /** `http` is what Visit opens, at most one of them. The others are reached at a port of the provider's. */
  protocol: 'http' | 'tcp' | 'udp'
  port: number
  /** Of an HTTP port: the path that answers once the application is ready. */
  ready?: string
  /** Of an HTTP port: only the order's owner opens it. */
  access?: 'owner'
}

/** Deploy id of an application of the renter's own; the catalogue never uses it. */
export const OWN_APP_DEPLOY_ID = 999
/** What stands on chain in place of a preset's name. */
export const OWN_APP_NAME = 'own-app'

/** A kernel of its own between the application and the machine: slower, and a second wall for what nobody trusts. */
export type Sandbox = 'gvisor'

export const APP_LIMITS = {
  /** Of the whole specification, in bytes of its text. */
  bytes: 64 * 1024,
  /** Names and values together, plain and secret. */
  envBytes: 32 * 1024,
  envValues: 200,
  /** The same values sealed, as base64url: in JSON they may be twice as long. */
  sealedLength: 96 * 1024,
  ports: 16,
  volumes: 8,
  words: 64,
  wordLength: 4096,
  imageLength: 300,
} as const

/** Why a part of a specification is refused. The screens have a sentence for each. */
export const APP_PROBLEMS = [
  'unsupported',
  'invalid',
  'missing',
  'duplicate',
  'too_many',
  'too_large',
  'host_path',
  'no_privilege',
  'no_value',
  'syntax',
  'one_service',
] as const
export type AppProblemCode = (typeof APP_PROBLEMS)[number]

export interface AppProblem {
  /** Where: `ports.0.port`, `services.db.privileged`, `--cap-add`. */
  field: string
  code: AppProblemCode
  /** Line of the text that was pasted, from 1. */
  line?: number
}
