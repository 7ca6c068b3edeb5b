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

/**
 * `usage`: answers `json` frames: one `UsageLimits`, with `history` one `UsageHistory`, and with `live` a `UsageNow` every two seconds
 * until the reader leaves.
 */
export const usageRequest = z.strictObject({
  history: z
    .strictObject({
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
    .optional(),
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
