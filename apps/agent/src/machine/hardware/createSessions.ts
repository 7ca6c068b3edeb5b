import { type HardwareClass, hardwareSize, rowsPerRoundOf } from '@rackfair/hardware/classes'
import { firstSeed } from '@rackfair/hardware/proof'
import type { LowerCaseAddress } from '@rackfair/rules/address'
import type { Hex } from 'viem'
import type { MeasurementJob } from './createMeasurement.ts'
import type { HardwareRecords } from './openHardwareRecords.ts'
import { sha256 } from './sha256.ts'
import type { Measuring } from './startMeasuring.ts'

/** Budget for tests per node and week. The first test of a week runs regardless of its duration. */
const WEEKLY_MS = 15_000
export interface MeasuredNode {
  orderId: bigint
  /** A tenant has something deployed on it, or is about to. */
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
  /** Bytes left for nodes requested later. */
  free: number
  /** `monitor use node` of each walk; a monitor gets one per use and node. */
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
  /** Free memory of this machine, in bytes. */
  freeBytes: () => number
  /** Path of a node's file during a measurement. */
  fileOf: (nodeId: bigint) => string
  records: HardwareRecords
  /** Unix seconds. */
  now: () => number
  /** Processor time per node and week, in milliseconds. */
  weeklyMs?: number
}

/** Measures the nodes requested for a beacon, one beacon at a time. */
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

  /** Ends the session, and frees its memory, in `ms` milliseconds. */
  const endAfter = (current: Session, ms: number): void => {
    if (current.ended) return
    clearTimeout(current.timer)
    current.timer = setTimeout(() => end(current), ms)
    current.timer.unref()
  }

  /** Starts measuring a node, unless something prevents it. */
  const add = (current: Session, nodeId: bigint): void => {
    const node = options.node(nodeId)
    if (!node || current.measured.has(nodeId) || current.declined.has(nodeId)) return
    const { hardwareClass: one, beacon } = current
    const { memoryBytes, diskBytes, cores } = hardwareSize(one, node)
    // The Merkle trees take 64 bytes per KiB.
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
    /** The test for this beacon; undefined while another one runs. */
    open(beacon: Hex, one: HardwareClass): Session | undefined {
      if (session && (session.beacon !== beacon || session.hardwareClass.id !== one.id)) return undefined
      session ??= begin(beacon, one)
      return session
    },
    ...{ add, end, endAfter },
  }
}
