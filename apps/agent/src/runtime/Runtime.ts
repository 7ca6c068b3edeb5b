import type { Duplex, Readable, Writable } from 'node:stream'
import type { DeploymentDetails } from '@rackfair/protocol/deployments'
import type { Listening } from './engine/listening.ts'
import type { Gpu } from './Gpu.ts'
import type { LogSource } from './output/LogSource.ts'
import type { Probe, RunSpec } from './RunSpec.ts'
import type { PullProgress } from './registry/fetchImage.ts'

/** The resources of the node that an order bought. */
export interface Allowance {
  cores: number
  memoryBytes: number
  diskBytes: number
  /** Whole GPUs, or whole slices of one. */
  gpus: readonly Gpu[]
}

/** One order's application, as passed to the runtime. */
export interface Workload {
  orderId: bigint
  /** Distinguishes the containers of two deployments of one order. */
  deploymentId: string
  /** Number of the order's network; unique among live workloads of this agent. */
  slot: number
  app: RunSpec
  env: Record<string, string>
  allowance: Allowance
  /** What its programs find at `AGENTS_PATH`, to be read only; undefined for nothing. */
  note?: string | undefined
}

/** Where a running application is reached. */
export interface Upstream {
  address: string
  /** Unique per container start: a connection to an earlier start leads nowhere, or to another application. */
  start: string
}

export interface WorkloadState {
  orderId: bigint
  /** Undefined for the main one of several services, and for the only one. */
  service?: string | undefined
  deploymentId: string
  /** The `create` options as found on the container. */
  imageId: string
  /** It runs behind a kernel of its own. */
  sandboxed: boolean
  running: boolean
  exitCode: number
  /** True only if the engine or the kernel confirms it. */
  outOfMemory: boolean
  /** Unix milliseconds; undefined while it runs, and if it never ran. */
  endedAt: number | undefined
  /** Undefined while it does not run. */
  upstream: Upstream | undefined
  slot: number
}

export interface TerminalStream {
  stream: Duplex
  resize(columns: number, rows: number): Promise<void>
  /** Exit code of the command, once the stream has closed. */
  exitCode: Promise<number>
}

/** Kernel counters of a container since it started. */
export interface ContainerUsage {
  processorMicros: number
  /** CPU limit, in cores. */
  cores: number | undefined
  /** Excludes reclaimable page cache. */
  memoryBytes: number
  memoryLimitBytes: number | undefined
  processes: number
  receivedBytes: number
  sentBytes: number
}

export interface OrderUsage extends ContainerUsage {
  /** Unique per start: counters of an earlier start do not continue. */
  start: string
  disk: { usedBytes: number; sizeBytes: number } | undefined
}

/** A command that runs beside an order's application, without a terminal. */
export interface ExecProcess {
  stdin: Writable
  stdout: Readable
  stderr: Readable
  /** 127 if the command could not be started. */
  exitCode: Promise<number>
  /** Kills it with all of its descendants. */
  closeTerminals(): void
}

export interface OwnImageOptions {
  /** For which it is fetched; what came of a pull that failed is removed with it. */
  orderId: bigint
  /** Size of the order's disk, the upper limit for an image. */
  maxBytes: number
  /** What unpacking it may use of the machine; without it, all. */
  share?: Pick<Allowance, 'cores' | 'memoryBytes'>
  onPull: (progress: PullProgress) => void
}

/** The resolved image of an own application. */
export interface OwnImage {
  imageId: string
  /** Its name with the resolved digest: from then on this digest runs, wherever the tag points. */
  image: string
  notes: NonNullable<DeploymentDetails['notes']>
}

/**
 * Runs applications: a container engine on this machine, or a cluster. Every method is idempotent. `service` names one of several services of
 * an order, other than the main one, which is meant where none is named.
 */
export interface Runtime {
  readonly kind: 'podman' | 'docker' | 'kubernetes'
  /** A command available in every container that waits until it is signalled. */
  readonly idleCommand: readonly string[]
  /** Why gVisor cannot be used here; undefined if a test container started behind it. */
  readonly whyNoGvisor: string | undefined
  /** Why an order has one container only; undefined where it may have several. */
  readonly whyNoServices: string | undefined
  /** Services of an order have one network together: no two of them can listen at the same port. */
  readonly sharesPorts: boolean
  /** Checks engine and isolation, and restores what it can. Throws AppError `engine_unavailable` or `isolation_unavailable`. */
  check(): Promise<void>
  /** True if the image of a preset is on this machine and is the approved one. */
  hasImage(app: RunSpec): Promise<boolean>
  /** Fetches or builds the image, or returns `known` if that is still on this machine. Throws `image_missing`. */
  ensureImage(app: RunSpec, onProgress?: (line: string) => void, known?: string): Promise<string>
  /**
   * Fetches the image of an own application from its registry. No request is made if its name has a digest that is on this machine.
   * Throws `own_images_refused`, `image_not_found`, `image_architecture`, `image_too_large`, `registry_denied`, `registry_unreachable`.
   */
  ensureOwnImage(app: RunSpec, known: string | undefined, options: OwnImageOptions): Promise<OwnImage>
  /**
   * Makes what `create` would, as far as it can be made while another deployment of the order runs, which it leaves alone. `create` goes on from
   * there once that one is set aside; `dropNext` forgets it.
   */
  prepare(workload: Workload, imageId: string): Promise<void>
  dropNext(orderId: bigint): Promise<void>
  create(workload: Workload, imageId: string): Promise<void>
  start(orderId: bigint, service?: string): Promise<void>
  probe(orderId: bigint, probe: Probe, service?: string): Promise<boolean>
  /** Stops all services of an order. */
  stop(orderId: bigint): Promise<void>
  stopService(orderId: bigint, service: string | undefined): Promise<void>
  /** Removes containers and network; with `wipe` also the data, except an own application's volumes with `keepVolumes`. */
  remove(orderId: bigint, options: { wipe: boolean; keepVolumes?: boolean }): Promise<void>
  /**
   * Stops the containers of an order and keeps them, with what they wrote, beside the next one, which may fail. `keepVolumes` leaves the volumes
   * of an own application to both. False where there is none, or the engine cannot.
   */
  setAside(orderId: bigint, options: { keepVolumes: boolean }): Promise<boolean>
  /** Removes the container that came after the one that was set aside, which takes its place again, not started. */
  takeBack(orderId: bigint): Promise<void>
  /** Forgets what was set aside. */
  dropAside(orderId: bigint): Promise<void>
  /** The deployment that was set aside; undefined if there is none. */
  aside(orderId: bigint): Promise<string | undefined>
  /** The container of one order; undefined if there is none. */
  find(orderId: bigint, service?: string): Promise<WorkloadState | undefined>
  list(): Promise<WorkloadState[]>
  /** Orders that have data on this machine, whether or not a container runs. */
  ordersWithData(): Promise<bigint[]>
  /** The last lines that the application wrote since its last start, in order; empty if it wrote none. */
  logs(orderId: bigint, lines: number, service?: string): Promise<string>
  /** The output of an order's application, in a ring that outlives its containers; undefined if the engine keeps none. */
  output(orderId: bigint, service?: string): LogSource | undefined
  /**
   * Current usage of an order's application, all services together unless one is named, the main one as ''; undefined while none of them
   * runs. Only the first call queries the engine.
   */
  usage(orderId: bigint, service?: string): Promise<OrderUsage | undefined>
  /** Deletes the output of an order. Its container must be removed first. */
  removeOutput(orderId: bigint): Promise<void>
  terminal(
    orderId: bigint,
    command: readonly string[],
    size: { columns: number; rows: number },
    service?: string,
  ): Promise<TerminalStream>
  /** Runs a command as the application's user, behind its walls. Throws AppError `app_not_running`. */
  exec(
    orderId: bigint,
    command: readonly string[],
    options?: {
      env?: Readonly<Record<string, string>> | undefined
      workingDir?: string | undefined
      service?: string | undefined
    },
  ): Promise<ExecProcess>
  /** A server of the SSH File Transfer Protocol, version 3, in the container and as its user. Throws as `exec`. */
  fileServer(orderId: bigint, service?: string): Promise<ExecProcess>
  /** Where an application listens by TCP, inside; undefined where that cannot be known, or if it does not run. */
  listening(orderId: bigint, service?: string): Promise<Listening[] | undefined>
  /** A connection to a port on the application's own loopback. Throws `app_not_running` if nothing listens. */
  connect(orderId: bigint, port: number, service?: string): Promise<Duplex>
  close(options: { stopWorkloads: boolean }): Promise<void>
}
