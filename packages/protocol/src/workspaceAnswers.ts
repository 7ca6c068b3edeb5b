import {
  amount,
  countTo,
  fieldsOf,
  figure,
  flag,
  into,
  listOf,
  malformed,
  object,
  oneOf,
  optional,
  orElse,
  orNull,
  type Read,
  seconds,
  text,
  textOf,
  type ValueOf,
} from './shape.ts'

const MAX_KEYS = 1000
const MAX_PORT = 65_535
const MAX_SIGNED_TEXT = 10_000
/** Of a process: the program that ran the command exits with the same. */
const MAX_EXIT_CODE = 255
/** Per message; a folder may take several. */
const MAX_MESSAGE_ENTRIES = 100_000
const MAX_POINTS = 10_000
const MAX_GPUS = 4096
const MAX_NODES = 1000

type Reads = Readonly<Record<string, Read<unknown>>>

/** A message that is one of several, told apart by a field that only it has; undefined for one of a later version. */
/*@__NO_SIDE_EFFECTS__*/
const whichHas =
  <const Of extends Reads>(messages: Of): Read<ValueOf<Of[keyof Of]> | undefined> =>
  (json, name) => {
    fieldsOf(json, name)
    const found = Object.keys(messages).find((field) => Object.hasOwn(json as object, field))
    return found === undefined ? undefined : (messages[found]?.(json, name) as never)
  }

/** A message that is one of several, told apart by its `type`; undefined for one of a later version. */
/*@__NO_SIDE_EFFECTS__*/
const ofType =
  <const Of extends Reads>(messages: Of): Read<ValueOf<Of[keyof Of]> | undefined> =>
  (json, name) => {
    const type = fieldsOf(json, name)('type', text)
    return Object.hasOwn(messages, type) ? (messages[type]?.(json, name) as never) : undefined
  }

/** Part of a command that people copy: a single word of characters allowed in names and addresses. */
const word = /*@__PURE__*/ into(text, (read, name) => {
  if (!/^[\w.:[\]-]{1,255}$/.test(read) || read.startsWith('-')) throw malformed(name, 'a name')
  return read
})

/** A key that may sign in to an order by SSH. */
const sshKey = /*@__PURE__*/ object({
  /** `ssh-ed25519` and the like. */
  type: textOf(100),
  /** As `ssh-keygen -l` shows it: `SHA256:` and 43 characters. */
  fingerprint: textOf(100),
  comment: textOf(4096),
  /** Unix seconds. */
  addedAt: seconds,
  /** Of its last sign-in; null before the first. */
  usedAt: orNull(seconds),
})
export type SshKey = ValueOf<typeof sshKey>

/** `sshKeys`: who may sign in to an order by SSH, and where. */
export const sshAccess = /*@__PURE__*/ object({
  keys: listOf(sshKey, MAX_KEYS),
  /** Name to sign in with: `order-12`. */
  user: word,
  host: word,
  /** Null if the provider has no port open: then only the stream `ssh` reaches it. */
  port: orNull(countTo(MAX_PORT)),
  /** Of the server's host key, as `ssh-keygen -l` shows it. */
  fingerprint: textOf(100),
  /** The host key under the operator's signature, see `parseSshHostKey`. */
  hostKey: object({ text: textOf(MAX_SIGNED_TEXT), signature: textOf(MAX_SIGNED_TEXT) }),
})
export type SshAccess = ValueOf<typeof sshAccess>

/** `domains`: the renter's domains that lead to the order. */
export const ownDomains = /*@__PURE__*/ object({
  /** Where a domain has to point to; null where orders of this provider have no names with TLS. */
  target: orNull(textOf(253)),
  /** The CAA record with which only this agent's account is given certificates; null until it has one. */
  caa: orElse(orNull(textOf(700)), () => null),
  domains: listOf(object({ domain: textOf(253), /** Visitors reach it. */ isServed: flag }), 256),
})
export type OwnDomains = ValueOf<typeof ownDomains>

/** A key of a browser or program for an order, as the agent knows it. Times are unix seconds. */
const workspaceKey = /*@__PURE__*/ object({
  /** The public key, as the grant names it. */
  key: textOf(200),
  issuedAt: seconds,
  expiresAt: seconds,
  usedAt: seconds,
  revokedAt: orNull(seconds),
  /** The key that makes the request. */
  own: flag,
})
export type RegisteredKey = ValueOf<typeof workspaceKey>

/** `keys`: the keys of an order. */
export const workspaceKeys = /*@__PURE__*/ listOf(workspaceKey, MAX_KEYS)

/** `resumed` is false if the requested session is gone and this is a new one. */
const terminalOpened = /*@__PURE__*/ object({ session: textOf(100), resumed: flag })
export type TerminalOpened = ValueOf<typeof terminalOpened>
/** Its program exited, another connection took it over, or it was idle for too long. */
const terminalClosed = /*@__PURE__*/ object({ closed: oneOf('ended', 'taken', 'idle') })
export type TerminalClosed = ValueOf<typeof terminalClosed>
export type TerminalEnd = TerminalClosed['closed']

/** `terminal`: its first answer, or why it ended. */
export const terminalMessage = /*@__PURE__*/ whichHas({ closed: terminalClosed, session: terminalOpened })

const execEnded = /*@__PURE__*/ object({ exitCode: countTo(MAX_EXIT_CODE) })
export type ExecEnded = ValueOf<typeof execEnded>

/** `exec`: how the command ended. */
export const execMessage = /*@__PURE__*/ whichHas({ exitCode: execEnded })

/** An entry of a folder. Names are untrusted. */
const fileEntry = /*@__PURE__*/ object({
  name: textOf(4096),
  type: oneOf('file', 'folder', 'link', 'other'),
  size: amount,
  /** Unix seconds. */
  modified: figure,
})
export type FileEntry = ValueOf<typeof fileEntry>
const fileList = /*@__PURE__*/ object({ entries: listOf(fileEntry, MAX_MESSAGE_ENTRIES) })
export type FileList = ValueOf<typeof fileList>

/** Space on the disk that holds a folder. */
const fileSpace = /*@__PURE__*/ object({ freeBytes: amount, sizeBytes: amount })
export type FileSpace = ValueOf<typeof fileSpace>

/** `files`, `list`: some entries, or the space of the disk. */
export const listMessage = /*@__PURE__*/ whichHas({ entries: fileList, freeBytes: fileSpace })

/** Without a size for a tar, whose size is not known in advance. */
const fileBegin = /*@__PURE__*/ object({ type: oneOf('file', 'tar'), size: optional(amount) })
export type FileBegin = ValueOf<typeof fileBegin>
export interface FileReady {
  ready: true
}
/** `notIncluded`: how many entries of a folder could not be read; a file at the end of its tar names them, with the reasons. */
const fileDone = /*@__PURE__*/ object({ done: /*@__PURE__*/ into(flag, () => true as const), notIncluded: optional(amount) })
export type FileDone = ValueOf<typeof fileDone>

/** `files`, `get`: what is sent, or that all of it was that could be read. */
export const downloadMessage = /*@__PURE__*/ whichHas({ done: fileDone, type: fileBegin })

/** The difference of two counters, which may have been reset in between. */
const rate = /*@__PURE__*/ into(figure, (read) => Math.max(0, read))
const share = /*@__PURE__*/ into(amount, (read) => Math.min(1, read))
const nodeId = /*@__PURE__*/ countTo(2 ** 32 - 1)

const load = {
  usePercent: /*@__PURE__*/ optional(figure),
  memoryUsedMb: /*@__PURE__*/ optional(figure),
  celsius: /*@__PURE__*/ optional(figure),
  watts: /*@__PURE__*/ optional(figure),
}
const card = { model: text, memoryMb: /*@__PURE__*/ optional(amount) }

/** The current load of one GPU; figures that the card does not report are absent. */
const gpuUsage = /*@__PURE__*/ object(load)
export type GpuUsage = ValueOf<typeof gpuUsage>

/** The average usage of an application over an interval. */
const usagePoint = /*@__PURE__*/ object({
  /** Unix seconds at the end of the interval. */
  time: seconds,
  /** Processor cores in use, on average. */
  cores: rate,
  processes: amount,
  /** Without the page cache, which the kernel reclaims when needed. */
  memoryBytes: amount,
  /** Used on the order's disk; absent for an application without one. */
  diskBytes: optional(amount),
  /** Network bytes per second. */
  receivedPerSecond: rate,
  sentPerSecond: rate,
  gpus: listOf(gpuUsage, MAX_GPUS),
})
export type UsagePoint = ValueOf<typeof usagePoint>

/** The limits bought, as the kernel enforces them; an absent one is unlimited or not part of the node. */
const usageLimits = /*@__PURE__*/ object({
  type: oneOf('limits'),
  cores: optional(amount),
  memoryBytes: optional(amount),
  diskBytes: optional(amount),
  gpus: listOf(object(card), MAX_GPUS),
})
export type UsageLimits = ValueOf<typeof usageLimits>
const usageHistory = /*@__PURE__*/ object({ type: oneOf('history'), points: listOf(usagePoint, MAX_POINTS) })
export type UsageHistory = ValueOf<typeof usageHistory>
const usageNow = /*@__PURE__*/ object({ type: oneOf('now'), point: usagePoint })
export type UsageNow = ValueOf<typeof usageNow>

/** `usage`: what was bought, and what is used of it. */
export const usageMessage = /*@__PURE__*/ ofType({ limits: usageLimits, history: usageHistory, now: usageNow })

/** One GPU of the provider's machine, whether or not a node has it. */
const machineGpu = /*@__PURE__*/ object({
  ...load,
  ...card,
  /** Temperature at which it throttles; absent if the driver does not report it. */
  slowsAtCelsius: optional(figure),
  /** Why no order is given it. */
  problem: optional(text),
})
export type MachineGpu = ValueOf<typeof machineGpu>

const machineNode = /*@__PURE__*/ object({
  nodeId,
  /** 0 to 1: of its GPUs, or of its cores if it has none; absent while unknown. */
  use: optional(share),
  memoryBytes: optional(amount),
  /** Indices into the list of GPUs. */
  gpus: listOf(countTo(MAX_GPUS), MAX_GPUS),
})
export type MachineNode = ValueOf<typeof machineNode>

/** The current load of a provider's nodes. */
const machinesNow = /*@__PURE__*/ object({
  type: oneOf('now'),
  /** Unix seconds. */
  time: seconds,
  version: text,
  gpus: listOf(machineGpu, MAX_GPUS),
  nodes: listOf(machineNode, MAX_NODES),
})
export type MachinesNow = ValueOf<typeof machinesNow>

/** `time` in unix seconds, `use` 0 to 1. */
const nodeUse = /*@__PURE__*/ object({ time: seconds, use: share })
const nodeUses = /*@__PURE__*/ object({ nodeId, points: listOf(nodeUse, MAX_POINTS) })
export type NodeUses = ValueOf<typeof nodeUses>
const machinesHistory = /*@__PURE__*/ object({ type: oneOf('history'), nodes: listOf(nodeUses, MAX_NODES) })
export type MachinesHistory = ValueOf<typeof machinesHistory>

/** `machines`: the load of a provider's nodes, now and before. */
export const machinesMessage = /*@__PURE__*/ ofType({ history: machinesHistory, now: machinesNow })
