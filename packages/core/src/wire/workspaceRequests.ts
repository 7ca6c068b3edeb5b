import { z } from 'zod'

/** `logs`: answers frames of type `logBatch`. Ends when all was sent, or, with `follow`, when the reader leaves. */
export const logsRequest = z.strictObject({
  /** Of an earlier batch; without one, reading begins `tail` lines before the end, or with the oldest line. */
  cursor: z
    .string()
    .regex(/^\d{1,16}(\.\d{1,16}){3}$/)
    .optional(),
  tail: z.number().int().min(0).max(100_000).optional(),
  /** Goes on with what is written from now on. */
  follow: z.boolean().optional(),
})
export type LogsRequest = z.infer<typeof logsRequest>

/** `events`: the deployments of the order that its machine remembers, the newest first, each with its steps, in a `json` frame of its own. */
export const eventsRequest = z.strictObject({})

const terminalSide = z.number().int().min(2).max(500)
export const terminalSize = z.strictObject({ columns: terminalSide, rows: terminalSide })
const command = z
  .array(z.string().max(64 * 1024))
  .min(1)
  .max(256)

/**
 * `terminal`: `bytes` frames in both directions, and `terminalSize` as `json` whenever the window changes. The first answer is a
 * `TerminalOpened`, then what was on the screen. Closing the stream leaves the terminal open for a while: `session` takes it up again.
 */
export const terminalRequest = terminalSize.extend({
  session: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  /** Without one, the shell of the image. */
  command: command.optional(),
})
export type TerminalRequest = z.infer<typeof terminalRequest>
export interface TerminalOpened {
  session: string
  /** False where the session that was asked for is gone, and this is another. */
  resumed: boolean
}
/** The last `json` frame of a terminal: its program ended, it was taken up elsewhere, or nobody used it for long. */
export interface TerminalClosed {
  closed: 'ended' | 'taken' | 'idle'
}
/** As `json` from the renter's side: ends the terminal with what runs in it. */
export const terminalEnd = z.strictObject({ end: z.literal(true) })

/**
 * `exec`: runs one command without a terminal. `bytes` frames in are its input, until the renter's side ends; out come `bytes` and
 * `errorBytes`, then one `ExecEnded` as `json`. The command is hung up when the stream ends before it.
 */
export const execRequest = z.strictObject({
  command,
  workingDir: z.string().startsWith('/').max(4096).optional(),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/), z.string().max(32 * 1024)).optional(),
})
export type ExecRequest = z.infer<typeof execRequest>
export interface ExecEnded {
  exitCode: number
}

const historyRequest = z.strictObject({
  /** Unix seconds, at most seven days apart. */
  from: z
    .number()
    .int()
    .min(0)
    .max(2 ** 40),
  to: z
    .number()
    .int()
    .min(0)
    .max(2 ** 40),
  /** At most so many are answered, each the mean of its stretch of time. */
  points: z.number().int().min(1).max(1000),
})

/**
 * `usage`: answers `json` frames: one `UsageLimits`, with `history` one `UsageHistory`, and with `live` a `UsageNow` every two seconds
 * until the reader leaves.
 */
export const usageRequest = z.strictObject({
  history: historyRequest.optional(),
  live: z.boolean().optional(),
})
export type UsageRequest = z.infer<typeof usageRequest>

/** What one GPU is doing; what the card does not tell is left out. */
export interface GpuUsage {
  usePercent?: number | undefined
  memoryUsedMb?: number | undefined
  celsius?: number | undefined
  watts?: number | undefined
}
export interface UsagePoint {
  /** Unix seconds at the end of the stretch that it is of. */
  time: number
  /** Processors' worth of time that was used, on average. */
  cores: number
  processes: number
  /** Without what the kernel keeps of files and gives back when it is needed. */
  memoryBytes: number
  /** Used on the order's disk; left out for an application that has none. */
  diskBytes?: number | undefined
  /** Bytes a second over the network. */
  receivedPerSecond: number
  sentPerSecond: number
  gpus: GpuUsage[]
}
/** What was bought, as the kernel holds the application to it; what is left out has no limit or is not there. */
export interface UsageLimits {
  type: 'limits'
  cores?: number | undefined
  memoryBytes?: number | undefined
  diskBytes?: number | undefined
  gpus: { model: string; memoryMb?: number | undefined }[]
}
export interface UsageHistory {
  type: 'history'
  points: UsagePoint[]
}
export interface UsageNow {
  type: 'now'
  point: UsagePoint
}

/**
 * `machines`, for the provider's own wallet alone (`MACHINES`): answers `json` frames: with `history` one `MachinesHistory`, then a
 * `MachinesNow` at once and, with `live`, every five seconds until the reader leaves.
 */
export const machinesRequest = z.strictObject({ history: historyRequest.optional(), live: z.boolean().optional() })
export type MachinesRequest = z.infer<typeof machinesRequest>

/** Nodes that are answered, the lowest numbers first. */
export const MAX_MACHINE_NODES = 500

/** One GPU of the provider's computer, whether a node has it or none. */
export interface MachineGpu extends GpuUsage {
  model: string
  memoryMb?: number | undefined
  /** Where it slows itself down; left out where the driver does not say. */
  slowsAtCelsius?: number | undefined
  /** Why no order gets it. */
  problem?: string | undefined
}
export interface MachineNode {
  nodeId: number
  /** 0 to 1: of its GPUs, or of its cores where it has none; left out while nothing is known of it. */
  use?: number | undefined
  memoryBytes?: number | undefined
  /** Its places in the list of GPUs. */
  gpus: number[]
}
export interface MachinesNow {
  type: 'now'
  /** Unix seconds. */
  time: number
  version: string
  gpus: MachineGpu[]
  nodes: MachineNode[]
}
export interface MachinesHistory {
  type: 'history'
  nodes: { nodeId: number; points: { time: number; use: number }[] }[]
}

const filePath = z
  .string()
  .regex(/^\/[^\0]*$/)
  .max(4096)

/**
 * `files`: one request a stream, on the paths of the application's container and with its user's rights.
 * `list` answers `FileSpace`, then `FileList`s, as `json`; `get` answers `FileBegin`, the bytes of the file or of a tar of the folder, and
 * `FileDone`; `put` answers `FileReady`, takes exactly `size` bytes until the renter's side ends, and answers `FileDone` once the file
 * is in its place. The others answer `FileDone`. A put that does not come to its end leaves what was there before.
 */
export const filesRequest = z.discriminatedUnion('op', [
  /** Without a path: the folders of the order's disk. */
  z.strictObject({ op: z.literal('list'), path: filePath.optional() }),
  z.strictObject({ op: z.literal('get'), path: filePath }),
  z.strictObject({
    op: z.literal('put'),
    path: filePath,
    size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
    /** Takes the place of a file that is there. */
    replace: z.boolean().optional(),
  }),
  z.strictObject({ op: z.literal('mkdir'), path: filePath }),
  /** A folder goes with all that is in it. */
  z.strictObject({ op: z.literal('remove'), path: filePath }),
  z.strictObject({ op: z.literal('rename'), path: filePath, to: filePath }),
])
export type FilesRequest = z.infer<typeof filesRequest>

export type FileType = 'file' | 'folder' | 'link' | 'other'
export interface FileEntry {
  name: string
  type: FileType
  size: number
  /** Unix seconds. */
  modified: number
}
export interface FileSpace {
  freeBytes: number
  sizeBytes: number
}
export interface FileList {
  entries: FileEntry[]
}
/** Without a size where it is a tar, whose size nobody knows before. */
export interface FileBegin {
  type: 'file' | 'tar'
  size?: number
}
export interface FileReady {
  ready: true
}
export interface FileDone {
  done: true
}

/**
 * `ssh`: the bytes of one SSH connection to the order's SSH server, in both directions and without frames. For providers that have no
 * port open: a ProxyCommand passes them between the SSH client and this stream. It is one session of the order like every other.
 */
export const sshRequest = z.strictObject({})
export type SshRequest = z.infer<typeof sshRequest>

/** Longest line of a public key that is taken; an RSA key of 16,384 bits is 2,800 characters. */
export const MAX_SSH_KEY_LENGTH = 4096

/** `sshKeys`: each request answers one `SshAccess` as `json`, as it is after the change. */
export const sshKeysRequest = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('list') }),
  /** `key` is one line as in a `.pub` file: type, base64, and a comment. */
  z.strictObject({ op: z.literal('add'), key: z.string().min(1).max(MAX_SSH_KEY_LENGTH) }),
  z.strictObject({ op: z.literal('remove'), fingerprint: z.string().max(100) }),
])
export type SshKeysRequest = z.infer<typeof sshKeysRequest>

export interface SshKeyWire {
  /** `ssh-ed25519` and the like. */
  type: string
  /** As `ssh-keygen -l` shows it: `SHA256:` and 43 characters. */
  fingerprint: string
  comment: string
  /** Unix seconds. */
  addedAt: number
  /** Of its last sign-in; null before the first. */
  usedAt: number | null
}

/** Who may sign in to an order by SSH, and where. */
export interface SshAccess {
  keys: SshKeyWire[]
  /** Name to sign in with: `order-12`. */
  user: string
  host: string
  /** Null where the provider has no port open: then only the stream `ssh` leads there. */
  port: number | null
  /** Of the server's host key, as `ssh-keygen -l` shows it. */
  fingerprint: string
  /** The host key under the operator's signature, see `parseSshHostKey`. */
  hostKey: { text: string; signature: string }
}

/**
 * `power`: stops the application, starts one that was stopped, starts it anew, or makes its container anew from the same image. What the
 * order keeps on its disk stays; the order goes on, and so does its price. Answers one `PowerDone` as `json` once it is under way, or
 * stopped; how it goes on is told by the deployment.
 */
export const powerRequest = z.strictObject({ action: z.enum(['restart', 'stop', 'start', 'redeploy']) })
export type PowerAction = z.infer<typeof powerRequest>['action']
export interface PowerDone {
  done: true
}
