import type { AppPort, JobEnd, Sandbox } from '@rackfair/core'

/** What an application asks the runtime for. Everything it does not name it does not get. */
export interface RunSpec {
  name: string
  /** `localhost/rackfair/…` is built here from its recipe; anything else is pulled once, approved and pinned by digest. */
  image: string
  command: string[] | undefined
  args: string[] | undefined
  env: Record<string, string>
  workingDir: string | undefined
  /** The port the gateway visits; undefined for an application without a web page. */
  port: number | undefined
  uid: number
  gid: number
  addCapabilities: string[]
  /** In memory, with a size. */
  tmpfs: { path: string; sizeBytes: number }[]
  /** On the order's own disk. */
  volumes: { name: string; path: string }[]
  requests: { cpu: number; memoryBytes: number; diskBytes: number; gpus: number }
  probe: Probe
  /** The command behind the terminal in the browser; undefined for an application without one. */
  terminal: string[] | undefined
  /** Set for an application of the renter's own. */
  own?: OwnApp
}

/**
 * What an image needs that was made for any machine: a root that it can write to, which lies on the order's disk, and to be somebody
 * inside, who is nobody outside. What is undefined here is as in the image.
 */
export interface OwnApp {
  user: string | undefined
  /** The account for its registry. */
  registry: { username: string; password: string } | undefined
  /** Reached from outside at ports of this machine. */
  ports: readonly AppPort[]
  /** Set for a job, which runs to its end once. */
  job: JobEnd | undefined
  /** Set for one that asks for a kernel of its own. */
  sandbox: Sandbox | undefined
}

export type Probe = {
  periodSeconds: number
  failures: number
} & (
  | { kind: 'started' }
  | { kind: 'http'; path: string; port: number }
  | { kind: 'tcp'; port: number }
  | { kind: 'exec'; command: string[] }
)
