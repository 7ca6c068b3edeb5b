import { type HardwareClass, hardwareSize, type LowerCaseAddress, rowsPerRoundOf } from '@rackfair/core'
import { firstSeed } from '@rackfair/core/hardware'
import type { Hex } from 'viem'
import type { MeasurementJob } from './createMeasurement.ts'
import type { HardwareRecords } from './openHardwareRecords.ts'
import { sha256 } from './sha256.ts'
import type { Measuring } from './startMeasuring.ts'

/** What tests may take of a node in a week. The first test of a week runs whatever it takes. */
const WEEKLY_MS = 15_000
export interface MeasuredNode {
  orderId: bigint
  /** Its tenant has something deployed, or is about to. */
  inUse: boolean
  nMEM: number
  nCPU: number
  core: number
}

type Declined = 'in_use' | 'time_spent' | 'memory_taken'

export interface Session {
  beacon: Hex
  hardwareClass: HardwareClass
  measured: Map<bigint, Measuring>
  declined: Map<bigint, Declined>
  /** Bytes that are left for nodes that are asked for later. */
  free: number
  /** `monitor use` for each walk, of which a monitor has one. */
  walked: Set<string>
  done: Set<string>
  timer: NodeJS.Timeout | undefined
  ended: boolean
}

export interface SessionOptions {
  chainId: number
  provider: LowerCaseAddress
  node: (nodeId: bigint) => MeasuredNode | undefined
  measure: (job: MeasurementJob) => Measuring
  /** Memory of this machine that nobody uses. */
  freeBytes: () => number
  /** Where a node's file lies while it is measured. */
  fileOf: (nodeId: bigint) => string
  records: HardwareRecords
  /** Unix seconds. */
  now: () => number
  /** Of the processors, for one node in a week. */
  weeklyMs?: number
}

/** Measures the nodes that are asked for at one beacon, for one beacon at a time. */
export function createSessions({ chainId, provider, records, now, ...options }: SessionOptions) {
  let session: Session | undefined

  const end = (ended: Session): void => {
    if (ended.ended) return
    ended.ended = true
    clearTimeout(ended.timer)
    for (const [nodeId, measuring] of ended.measured) {
      measuring.stop()
      records.addRun(now(), nodeId, measuring.busyMs())
    }
    if (session === ended) session = undefined
  }

  const begin = (beacon: Hex, one: HardwareClass): Session => ({
    ...{ beacon, hardwareClass: one, measured: new Map(), declined: new Map(), free: options.freeBytes() },
    ...{ walked: new Set(), done: new Set(), timer: undefined, ended: false },
  })

  /** Holds the memory for so long. */
  const endAfter = (current: Session, ms: number): void => {
    if (current.ended) return
    clearTimeout(current.timer)
    current.timer = setTimeout(() => end(current), ms)
    current.timer.unref()
  }

  /** Starts with a node, unless something is against it. */
  const add = (current: Session, nodeId: bigint): void => {
    const node = options.node(nodeId)
    if (!node || current.measured.has(nodeId) || current.declined.has(nodeId)) return
    const { hardwareClass: one, beacon } = current
    const { memoryBytes, diskBytes, cores } = hardwareSize(one, node)
    // The trees take 64 bytes for each KiB.
    const taken = memoryBytes + (memoryBytes + diskBytes) / 16
    if (node.inUse) current.declined.set(nodeId, 'in_use')
    else if (records.spentMs(nodeId, now()) >= (options.weeklyMs ?? WEEKLY_MS)) current.declined.set(nodeId, 'time_spent')
    else if (current.free < taken) current.declined.set(nodeId, 'memory_taken')
    else {
      current.free -= taken
      const seed = (use: string) => firstSeed(sha256, { chainId, provider, nodeId, beacon, use })
      const measuring = options.measure({
        seeds: { memory: seed('memory'), disk: seed('disk') },
        rowsPerRound: { memory: rowsPerRoundOf(memoryBytes), disk: rowsPerRoundOf(diskBytes) },
        steps: { memory: one.memorySteps, disk: one.diskSteps },
        ...{ cores, argonKib: one.argonKib, file: options.fileOf(nodeId) },
      })
      current.measured.set(nodeId, measuring)
    }
  }

  return {
    current: () => session,
    /** The test of this beacon; undefined while there is another one. */
    open(beacon: Hex, one: HardwareClass): Session | undefined {
      if (session && (session.beacon !== beacon || session.hardwareClass.id !== one.id)) return undefined
      session ??= begin(beacon, one)
      return session
    },
    ...{ add, end, endAfter },
  }
}
