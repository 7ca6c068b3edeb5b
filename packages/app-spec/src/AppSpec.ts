/** An application that a renter brings: an image of any registry and how it is started. It gets nothing that it does not name. */
export interface AppSpec {
  /** Registry, name, and a tag or a digest, in full: `docker.io/library/redis:7`. */
  image: string
  /** Overrides the image's entry point, and with it the image's command. Never empty: without an entry point, `args` are the command. */
  command?: readonly string[]
  /** Overrides the image's command; empty for none at all. */
  args?: readonly string[]
  /** Plain values, part of what is signed. */
  env: Readonly<Record<string, string>>
  /** Names of values that travel beside the specification and are never part of it. */
  secrets: readonly string[]
  ports: readonly AppPort[]
  /** Folders on the order's disk that outlive a redeploy. */
  volumes: readonly string[]
  /** Files by their path inside, which the application can read and not change. */
  files?: Readonly<Record<string, AppFile>>
  /** User inside the container: a name from the image or a number, optionally a group after a colon. Defaults to the image's own. */
  user?: string
  workdir?: string
  /** For a private image. `password` names one of the values that travel beside the specification; the application does not receive it. */
  registry?: { username: string; password: string }
  job?: JobEnd
  sandbox?: Sandbox
  /**
   * Size of /dev/shm in bytes, which counts as memory of the order: at most all of it. Half of it by default.
   */
  sharedMemory?: number
}

/**
 * For an application that runs to its end and is not restarted: what happens to the order afterwards. With `cancel` the signer agrees that
 * the order may be cancelled for a refund of the rest; the holder of the wallet's key does so.
 */
export type JobEnd = (typeof JOB_ENDS)[number]
export const JOB_ENDS = ['keep', 'cancel'] as const

/** The text of a file, which is part of what is signed, or the name of a value that travels beside the specification. */
export type AppFile = string | { secret: string }

export interface AppPort {
  /** `http` is what Visit opens, at most one port. The others are reached at one of the provider's ports. */
  protocol: 'http' | 'tcp' | 'udp'
  port: number
  /** For an HTTP port: the path that answers once the application is ready. */
  ready?: string
  /** For an HTTP port: only the order's owner can open it. */
  access?: 'owner'
}

/** Deploy id of the renter's own application; the catalogue never uses it. */
export const OWN_APP_DEPLOY_ID = 999
/** The name on chain for the renter's own application, in place of a preset's. */
export const OWN_APP_NAME = 'own-app'

/** A kernel of its own between the application and the machine: slower, but a second boundary for untrusted code. */
export type Sandbox = 'gvisor'

export const APP_LIMITS = {
  /** The whole specification, in bytes of its text. */
  bytes: 64 * 1024,
  /** Names and values together, plain and secret. */
  envBytes: 32 * 1024,
  envValues: 200,
  /** The sealed values in base64url: in JSON they may be twice as long. */
  sealedLength: 96 * 1024,
  ports: 16,
  volumes: 8,
  files: 32,
  /** Texts of files together, those that travel beside the specification not counted. */
  fileBytes: 32 * 1024,
  words: 64,
  wordLength: 4096,
  imageLength: 300,
  sharedMemory: { least: 2 ** 20, most: 2 ** 46 },
} as const

/** Why a part of a specification is refused. The screens have a text for each. */
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
  'host_file',
  'other_file',
  'needs_image',
  'bad_variable',
  'no_shell',
  'no_command',
  'circular',
] as const
export type AppProblemCode = (typeof APP_PROBLEMS)[number]

export interface AppProblem {
  /** Path of the field: `ports.0.port`, `services.db.privileged`, `--cap-add`. */
  field: string
  code: AppProblemCode
  /** Line of the pasted text, from 1. */
  line?: number
}
