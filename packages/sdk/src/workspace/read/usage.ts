import { amount, countTo, fieldsOf, figure, listOf, optional, type Read, seconds, text } from '@rackfair/protocol/shape'

const MAX_POINTS = 10_000
const MAX_GPUS = 4096
const MAX_NODES = 1000

/** The current load of one GPU; figures that the card does not report are absent. */
export interface GpuUsage {
  usePercent?: number | undefined
  memoryUsedMb?: number | undefined
  celsius?: number | undefined
  watts?: number | undefined
}

/** The average usage of an application over an interval. */
export interface UsagePoint {
  /** Unix seconds at the end of the interval. */
  time: number
  /** Processor cores in use, on average. */
  cores: number
  processes: number
  /** Without the page cache, which the kernel reclaims when needed. */
  memoryBytes: number
  /** On the order's disk; absent for an application without one. */
  diskBytes?: number | undefined
  /** Bytes over the network. */
  receivedPerSecond: number
  sentPerSecond: number
  gpus: readonly GpuUsage[]
}

/** The limits bought; an absent one is unlimited or not part of the node. */
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

/** One GPU of the provider's machine, whether or not a node has it. */
export interface MachineGpu extends GpuUsage {
  model: string
  memoryMb?: number | undefined
  /** Temperature at which it throttles; absent if the driver does not report it. */
  slowsAtCelsius?: number | undefined
  /** Why no order is given it. */
  problem?: string | undefined
}

/** The current load of a provider's nodes. `gpus` of a node are indices into the list of all. `use` is 0 to 1; absent while unknown. */
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
 * A message of the stream `usage`; undefined for an unknown kind.
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
 * A message of the stream `machines`; undefined for an unknown kind.
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
/** The difference of two counters, which may have been reset in between. */
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
