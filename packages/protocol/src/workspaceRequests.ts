import { z } from 'zod'

/** One of several services of the order; without a name, the one with the page. */
const service = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,30}$/)
  .optional()

/** `logs`: answers frames of type `logBatch`. Ends when everything was sent, or, with `follow`, when the reader disconnects. */
export const logsRequest = z.strictObject({
  /** From an earlier batch; without one, reading begins `tail` lines before the end, or at the oldest line. */
  cursor: z
    .string()
    .regex(/^\d{1,16}(\.\d{1,16}){3}$/)
    .optional(),
  tail: z.number().int().min(0).max(100_000).optional(),
  /** Continues with new lines. */
  follow: z.boolean().optional(),
  /** What it alone writes, without what the machine says of the order. */
  service,
})
export type LogsRequest = z.infer<typeof logsRequest>

/** `events`: the deployments of the order that its machine remembers, newest first, each with its steps in a `json` frame of its own. */
export const eventsRequest = z.strictObject({})

const terminalSide = z.number().int().min(2).max(500)
export const terminalSize = z.strictObject({ columns: terminalSide, rows: terminalSide })
const command = z
  .array(z.string().max(64 * 1024))
  .min(1)
  .max(256)

/**
 * `terminal`: `bytes` frames in both directions, and `terminalSize` as `json` whenever the window is resized. The first answer is a
 * `TerminalOpened`, then the content of the screen. Closing the stream leaves the terminal open for a while: `session` resumes it.
 */
export const terminalRequest = terminalSize.extend({
  session: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  /** Defaults to the shell of the image. */
  command: command.optional(),
  service,
})
export type TerminalRequest = z.infer<typeof terminalRequest>
/** As `json` from the renter's side: ends the terminal with everything that runs in it. */
export const terminalEnd = z.strictObject({ end: z.literal(true) })

/**
 * `exec`: runs one command without a terminal. Incoming `bytes` frames are its input, until the renter's side ends; outgoing are `bytes`
 * and `errorBytes`, then one `ExecEnded` as `json`. If the stream ends first, the command is ended too.
 */
export const execRequest = z.strictObject({
  command,
  workingDir: z.string().startsWith('/').max(4096).optional(),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/), z.string().max(32 * 1024)).optional(),
  service,
})
export type ExecRequest = z.infer<typeof execRequest>
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
  /** Maximum number of points returned, each the average of its interval. */
  points: z.number().int().min(1).max(1000),
})

/**
 * `usage`: answers `json` frames: one `UsageLimits`, with `history` one `UsageHistory`, and with `live` a `UsageNow` every two seconds
 * until the reader disconnects.
 */
export const usageRequest = z.strictObject({
  history: historyRequest.optional(),
  live: z.boolean().optional(),
  /** Of it alone; without a name of all services together. It has no history. */
  service,
})
export type UsageRequest = z.infer<typeof usageRequest>

/**
 * `machines`, only for the provider's own wallet (`MACHINES`): answers `json` frames: with `history` one `MachinesHistory`, then a
 * `MachinesNow` at once and, with `live`, every five seconds until the reader disconnects.
 */
export const machinesRequest = z.strictObject({ history: historyRequest.optional(), live: z.boolean().optional() })
export type MachinesRequest = z.infer<typeof machinesRequest>

/** Maximum number of nodes in an answer, lowest ids first. */
export const MAX_MACHINE_NODES = 500

const filePath = z
  .string()
  .regex(/^\/[^\0]*$/)
  .max(4096)

/**
 * `files`: one request per stream, on paths of the application's container and with its user's rights. `list` answers `FileSpace`, then
 * `FileList`s, as `json`; `stat` answers a `FileList` of the path itself, of a link as a link; `get` answers `FileBegin`, the bytes of the file or of a tar of the folder, and `FileDone`; `put` answers
 * `FileReady`, takes exactly `size` bytes until the renter's side ends, and answers `FileDone` once the file is in place. The others answer
 * `FileDone`. An incomplete put leaves the previous file.
 */
export const filesRequest = z.discriminatedUnion('op', [
  /** Without a path: the folders of the order's disk. */
  z.strictObject({ op: z.literal('list'), path: filePath.optional(), service }),
  z.strictObject({ op: z.literal('stat'), path: filePath, service }),
  z.strictObject({ op: z.literal('get'), path: filePath, service }),
  z.strictObject({
    op: z.literal('put'),
    path: filePath,
    size: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
    /** Overwrites an existing file. */
    replace: z.boolean().optional(),
    service,
  }),
  z.strictObject({ op: z.literal('mkdir'), path: filePath, service }),
  /** A folder is removed with all its contents. */
  z.strictObject({ op: z.literal('remove'), path: filePath, service }),
  z.strictObject({ op: z.literal('rename'), path: filePath, to: filePath, service }),
])
export type FilesRequest = z.infer<typeof filesRequest>

/**
 * `ssh`: the raw bytes of one SSH connection to the order's SSH server, in both directions and without frames. For providers without an
 * open port: a ProxyCommand carries them between the SSH client and this stream. It counts as a session of the order like any other.
 */
export const sshRequest = z.strictObject({})
export type SshRequest = z.infer<typeof sshRequest>

/** Maximum length of a public key's line; an RSA key of 16,384 bits has 2,800 characters. */
export const MAX_SSH_KEY_LENGTH = 4096

/** `sshKeys`: each request answers one `SshAccess` as `json`, with the state after the change. */
export const sshKeysRequest = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('list') }),
  /** `key` is one line as in a `.pub` file: type, base64, and a comment. */
  z.strictObject({ op: z.literal('add'), key: z.string().min(1).max(MAX_SSH_KEY_LENGTH) }),
  z.strictObject({ op: z.literal('remove'), fingerprint: z.string().max(100) }),
])
export type SshKeysRequest = z.infer<typeof sshKeysRequest>

/** `domains`: each request answers one `OwnDomains` as `json`, with the state after the change. */
export const domainsRequest = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('list') }),
  /** The domain already points to the order: see `target` of the answer. */
  z.strictObject({ op: z.literal('add'), domain: z.string().min(1).max(260) }),
  z.strictObject({ op: z.literal('remove'), domain: z.string().min(1).max(260) }),
])
export type DomainsRequest = z.infer<typeof domainsRequest>

/**
 * `power`: stops the application, starts a stopped one, restarts it, or recreates its container from the same image. The data on the
 * order's disk stays; the order keeps running and is paid for. Answers one `PowerDone` as `json` once the start is under way, or the
 * application has stopped; the deployment reports the progress.
 */
export const powerRequest = z
  .strictObject({ action: z.enum(['restart', 'stop', 'start', 'redeploy']), service })
  // The others are of the application as a whole.
  .refine(({ action, service: one }) => one === undefined || action === 'restart')
export type PowerAction = z.infer<typeof powerRequest>['action']
export interface PowerDone {
  done: true
}
