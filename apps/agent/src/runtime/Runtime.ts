import type { Duplex, Readable, Writable } from 'node:stream'
import type { DeploymentDetails } from '@rackfair/core/wire'
import type { Gpu } from '../gpu/detectGpus.ts'
import type { LogSource } from '../orderLog/LogSource.ts'
import type { Probe, RunSpec } from './RunSpec.ts'
import type { PullProgress } from './registry/fetchImage.ts'

/** What of the node an order bought. */
export interface Allowance {
  cores: number
  memoryBytes: number
  diskBytes: number
  /** Whole GPUs, or whole slices of one. */
  gpus: readonly Gpu[]
}

/** One order's application as the runtime is asked to run it. */
export interface Workload {
  orderId: bigint
  /** Tells the containers of two deployments of one order apart. */
  deploymentId: string
  /** Number of the order's network; unique among live workloads of this agent. */
  slot: number
  app: RunSpec
  env: Record<string, string>
  allowance: Allowance
}

/** Where a running application is reached. */
export interface Upstream {
  address: string
  /** Another at each start of a container: a connection that was made to an earlier one leads nowhere, or to somebody else. */
  start: string
}

export interface WorkloadState {
  orderId: bigint
  deploymentId: string
  /** What `create` was given, as it is now on the container. */
  imageId: string
  /** Behind a kernel of its own. */
  sandboxed: boolean
  running: boolean
  exitCode: number
  /** The engine or the kernel is sure of it. */
  outOfMemory: boolean
  /** Unix milliseconds; undefined while it runs, and for what never ran. */
  endedAt: number | undefined
  /** Undefined while it does not run. */
  upstream: Upstream | undefined
  slot: number
}

export interface TerminalStream {
  stream: Duplex
  resize(columns: number, rows: number): Promise<void>
  /** Of its command, once the stream has closed. */
  exitCode: Promise<number>
}

/** What the kernel counts of a container since it began. */
export interface ContainerUsage {
  processorMicros: number
  /** Processors' worth of time that it may use at most. */
  cores: number | undefined
  /** Without what the kernel keeps of files and gives back when it is needed. */
  memoryBytes: number
  memoryLimitBytes: number | undefined
  processes: number
  receivedBytes: number
  sentBytes: number
}

export interface OrderUsage extends ContainerUsage {
  /** Another at each start: what was counted before it does not go on. */
  start: string
  disk: { usedBytes: number; sizeBytes: number } | undefined
}

/** A command that runs beside an order's application, without a terminal. */
export interface ExecProcess {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** 127 for what could not be started. */
  exitCode: Promise<number>
  /** Ends it with everything that it started. */
  closeTerminals(): void
}

export interface OwnImageOptions {
  /** Of the order's disk: no image is larger. */
  maxBytes: number
  onPull: (progress: PullProgress) => void
}

/** What an own application's image turned out to be. */
export interface OwnImage {
  imageId: string
  /** Its name with the digest that it had: from then on that one runs, wherever its tag points. */
  image: string
  notes: NonNullable<DeploymentDetails['notes']>
}

/** What runs applications: a container engine on this machine, or a cluster. Every method may be repeated without harm. */
export interface Runtime {
  readonly kind: 'podman' | 'docker' | 'kubernetes'
  /** A program that every container has, waits for ever and ends when it is told to. */
  readonly idleCommand: readonly string[]
  /** Why no container can be put behind gVisor here; undefined where one was tried and started. */
  readonly whyNoGvisor: string | undefined
  /** Throws AppError `engine_unavailable` or `isolation_unavailable`; brings back what it can. */
  check(): Promise<void>
  /** True when the image of a preset is on this machine and is the one that was approved. */
  hasImage(app: RunSpec): Promise<boolean>
  /** Gets or builds the image, or answers `known` where that is still on this machine. Throws `image_missing`. */
  ensureImage(app: RunSpec, onProgress?: (line: string) => void, known?: string): Promise<string>
  /**
   * Gets the image of an own application from its registry. With a digest in its name that is on this machine nobody is asked.
   * Throws `own_images_refused`, `image_not_found`, `image_architecture`, `image_too_large`, `registry_denied`, `registry_unreachable`.
   */
  ensureOwnImage(app: RunSpec, known: string | undefined, options: OwnImageOptions): Promise<OwnImage>
  create(workload: Workload, imageId: string): Promise<void>
  start(orderId: bigint): Promise<void>
  probe(orderId: bigint, probe: Probe): Promise<boolean>
  stop(orderId: bigint): Promise<void>
  /** Removes container and network; with `wipe` also the data, of which an own application may keep its volumes. */
  remove(orderId: bigint, options: { wipe: boolean; keepVolumes?: boolean }): Promise<void>
  /** The container of one order; undefined when there is none. */
  find(orderId: bigint): Promise<WorkloadState | undefined>
  list(): Promise<WorkloadState[]>
  /** Orders that have data on this machine, whether or not a container runs. */
  ordersWithData(): Promise<bigint[]>
  logs(orderId: bigint, lines: number): Promise<string>
  /** Everything an order's application writes, in a ring that outlives its containers; undefined where the engine keeps none. */
  output(orderId: bigint): LogSource | undefined
  /** What an order's application uses now; undefined while it does not run. Costs the engine nothing after the first time. */
  usage(orderId: bigint): Promise<OrderUsage | undefined>
  /** Forgets the output of an order. Its container is removed first. */
  removeOutput(orderId: bigint): Promise<void>
  terminal(orderId: bigint, command: readonly string[], size: { columns: number; rows: number }): Promise<TerminalStream>
  /** Runs a command as the application's user, behind its walls. Throws AppError `app_not_running`. */
  exec(
    orderId: bigint,
    command: readonly string[],
    options?: { env?: Readonly<Record<string, string>> | undefined; workingDir?: string | undefined },
  ): Promise<ExecProcess>
  /** A server of the SSH File Transfer Protocol, version 3, in the container and as its user. Throws as `exec`. */
  fileServer(orderId: bigint): Promise<ExecProcess>
  /** A connection to a port of the application's own loopback. Throws `app_not_running` where nothing listens. */
  connect(orderId: bigint, port: number): Promise<Duplex>
  close(options: { stopWorkloads: boolean }): Promise<void>
}
