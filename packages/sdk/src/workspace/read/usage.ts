import { amount, countTo, fieldsOf, figure, listOf, optional, type Read, seconds, text } from '../../http/read/fields.ts'

const MAX_POINTS = 10_000
const MAX_GPUS = 4096
const MAX_NODES = 1000

/** What one GPU is doing; what the card does not tell is left out. */
export interface GpuUsage {
  usePercent?: number | undefined
  memoryUsedMb?: number | undefined
  celsius?: number | undefined
  watts?: number | undefined
}

/** What an application used over a stretch of time, on average. */
export interface UsagePoint {
  /** Unix seconds at the end of the stretch. */
  time: number
  /** Processors' worth of time. */
  cores: number
  processes: number
  /** Without what the kernel keeps of files and gives back when it is needed. */
  memoryBytes: number
  /** On the order's disk; left out for an application that has none. */
  diskBytes?: number | undefined
  /** Bytes over the network. */
  receivedPerSecond: number
  sentPerSecond: number
  gpus: readonly GpuUsage[]
}

/** What was bought; what is left out has no limit or is not there. */
export interface UsageLimits {
  cores?: number | undefined
  memoryBytes?: number | undefined
  diskBytes?: number | undefined
  gpus: readonly { model: string; memoryMb?: number | undefined }[]
}

export type UsageMessage =
  | { type: 'limits'; limits: UsageLimits }
  | { type: 'history'; points: readonly UsagePoint[] }
  | { type: 'now'; point: UsagePoint }

/** One GPU of the provider's computer, whether a node has it or none. */
export interface MachineGpu extends GpuUsage {
  model: string
  memoryMb?: number | undefined
  /** Where it slows itself down; left out where the driver does not say. */
  slowsAtCelsius?: number | undefined
  /** Why no order gets it. */
  problem?: string | undefined
}

/** What a provider's nodes are doing. `gpus` of a node are its places in the list of all. `use` is 0 to 1; absent while nothing is known. */
export interface MachinesNow {
  gpus: readonly MachineGpu[]
  nodes: readonly { nodeId: number; use?: number | undefined; gpus: readonly number[] }[]
}

export interface NodeUses {
  nodeId: number
  /** `time` in unix seconds, `use` 0 to 1. */
  points: readonly { time: number; use: number }[]
}

export type MachinesMessage = { type: 'now'; now: MachinesNow } | { type: 'history'; nodes: readonly NodeUses[] }

/**
 * A message of the stream `usage`; undefined for one of a kind that is not known.
 * @throws AppError `answer_malformed` with the `field` that is wrong.
 */
export function readUsageMessage(json: unknown): UsageMessage | undefined {
  const of = fieldsOf(json, 'usage')
  const type = of('type', text)
  if (type === 'limits') return { type, limits: limits(json, 'usage') }
  if (type === 'history') return { type, points: of('points', listOf(point, MAX_POINTS)) }
  return type === 'now' ? { type, point: of('point', point) } : undefined
}

/**
 * A message of the stream `machines`; undefined for one of a kind that is not known.
 * @throws AppError `answer_malformed`.
 */
export function readMachinesMessage(json: unknown): MachinesMessage | undefined {
  const of = fieldsOf(json, 'machines')
  const type = of('type', text)
  if (type === 'history') return { type, nodes: of('nodes', listOf(nodeUses, MAX_NODES)) }
  if (type !== 'now') return undefined
  return { type, now: { gpus: of('gpus', listOf(machineGpu, MAX_GPUS)), nodes: of('nodes', listOf(nodeNow, MAX_NODES)) } }
}

const nodeId = countTo(2 ** 32 - 1)
/** The difference of two counters, which may have begun anew in between. */
const rate: Read<number> = (json, name) => Math.max(0, figure(json, name))
const share: Read<number> = (json, name) => Math.min(1, amount(json, name))

const gpu: Read<GpuUsage> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    usePercent: of('usePercent', optional(figure)),
    memoryUsedMb: of('memoryUsedMb', optional(figure)),
    celsius: of('celsius', optional(figure)),
    watts: of('watts', optional(figure)),
  }
}

const point: Read<UsagePoint> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    time: of('time', seconds),
    cores: of('cores', rate),
    processes: of('processes', amount),
    memoryBytes: of('memoryBytes', amount),
    diskBytes: of('diskBytes', optional(amount)),
    receivedPerSecond: of('receivedPerSecond', rate),
    sentPerSecond: of('sentPerSecond', rate),
    gpus: of('gpus', listOf(gpu, MAX_GPUS)),
  }
}

const limits: Read<UsageLimits> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    cores: of('cores', optional(amount)),
    memoryBytes: of('memoryBytes', optional(amount)),
    diskBytes: of('diskBytes', optional(amount)),
    gpus: of('gpus', listOf(card, MAX_GPUS)),
  }
}

const card: Read<UsageLimits['gpus'][number]> = (json, name) => {
  const of = fieldsOf(json, name)
  return { model: of('model', text), memoryMb: of('memoryMb', optional(amount)) }
}

const machineGpu: Read<MachineGpu> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    ...gpu(json, name),
    ...card(json, name),
    slowsAtCelsius: of('slowsAtCelsius', optional(figure)),
    problem: of('problem', optional(text)),
  }
}

const nodeNow: Read<MachinesNow['nodes'][number]> = (json, name) => {
  const of = fieldsOf(json, name)
  return {
    nodeId: of('nodeId', nodeId),
    use: of('use', optional(share)),
    gpus: of('gpus', listOf(countTo(MAX_GPUS), MAX_GPUS)),
  }
}

const nodeUses: Read<NodeUses> = (json, name) => {
  const of = fieldsOf(json, name)
  return { nodeId: of('nodeId', nodeId), points: of('points', listOf(nodeUse, MAX_POINTS)) }
}

const nodeUse: Read<NodeUses['points'][number]> = (json, name) => {
  const of = fieldsOf(json, name)
  return { time: of('time', seconds), use: of('use', share) }
}
