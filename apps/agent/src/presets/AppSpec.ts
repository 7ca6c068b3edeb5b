/** What a preset asks the runtime for. Everything it does not name it does not get. */
export interface AppSpec {
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
}

export type Probe = {
  periodSeconds: number
  failures: number
} & ({ kind: 'http'; path: string; port: number } | { kind: 'tcp'; port: number } | { kind: 'exec'; command: string[] })
