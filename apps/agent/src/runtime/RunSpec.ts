import type { AppPort, JobEnd, Sandbox } from '@rackfair/app-spec/AppSpec'

/** What an application requires from the runtime. It gets nothing else. */
export interface RunSpec {
  name: string
  /** `localhost/rackfair/…` is built on this machine from its recipe; anything else is pulled once, approved and pinned by digest. */
  image: string
  command: string[] | undefined
  args: string[] | undefined
  env: Record<string, string>
  workingDir: string | undefined
  /** The port the gateway visits; undefined for an application without a web page. */
  port: number | undefined
  /** All that it listens at for others; those that are no page are mapped to ports of this machine. */
  ports: readonly AppPort[]
  uid: number
  gid: number
  addCapabilities: string[]
  /** In-memory filesystems with a size limit. */
  tmpfs: { path: string; sizeBytes: number }[]
  /** On the order's own disk. */
  volumes: { name: string; path: string }[]
  requests: { cpu: number; memoryBytes: number; diskBytes: number; gpus: number }
  probe: Probe
  /** The command behind the terminal in the browser; undefined for an application without one. */
  terminal: string[] | undefined
  /** Set for an application of the renter's own. */
  own?: OwnApp
  /** Set where it shares its order with others. */
  service?: ServiceRun | undefined
}

/** One of several services that share what an order bought, and find each other by name. */
export interface ServiceRun {
  /** Undefined for the main one, which is meant wherever none is named. */
  key: string | undefined
  /** Its place on the order's network; 0 is the main one's. */
  place: number
  /** Names of all of them by their place, its own among them. */
  names: readonly (readonly string[])[]
  /** Bytes that each of them may use of the order's memory, by their place; undefined for all of it. */
  memory: readonly (number | undefined)[]
}

/**
 * What a general-purpose image needs: a writable root, which is on the order's disk, and a user inside that is unprivileged outside.
 * Undefined fields take the image's own values.
 */
export interface OwnApp {
  user: string | undefined
  /** The account for its registry. */
  registry: { username: string; password: string } | undefined
  /** Set for a job, which runs to completion once. */
  job: JobEnd | undefined
  /** Set if it requests a kernel of its own. */
  sandbox: Sandbox | undefined
  /** What it can read at paths inside and not change. One that begins with `#!` can be run. */
  files: readonly OwnFile[]
  /** Size of /dev/shm in bytes; undefined for the usual part of the order's memory. */
  sharedMemory: number | undefined
}

export interface OwnFile {
  path: string
  text: string
}

/** The rights of a file that the application was given: nobody changes it, and scripts can be run. */
export const fileMode = ({ text }: OwnFile): number => (text.startsWith('#!') ? 0o555 : 0o444)

export type Probe = {
  periodSeconds: number
  failures: number
} & (
  | { kind: 'started' }
  | { kind: 'http'; path: string; port: number }
  | { kind: 'tcp'; port: number }
  | { kind: 'exec'; command: string[] }
)
