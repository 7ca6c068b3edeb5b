import { closeSync, constants, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { GpuUsage, UsagePoint } from '@rackfair/protocol/workspaceAnswers'

export const RECORD_SECONDS = 10
export const KEPT_SECONDS = 7 * 86_400
const SLOTS = KEPT_SECONDS / RECORD_SECONDS
const BASE_BYTES = 64
const GPU_BYTES = 16
/** With all of them a file has 19.4 MB, without any 3.9 MB. */
const MAX_GPUS = 16
const READ_RECORDS = 4096

/**
 * The usage of seven days in a file that never grows beyond them: each stretch of time has its place, and what lies there says of which
 * time it is. Nothing has to be found or repaired after a crash; the worst is a record that is missing.
 */
export function createUsageRing(folder: string) {
  const fileOf = (orderId: bigint, gpus: number) => join(folder, `${orderId}-${gpus}`)

  return {
    write(orderId: bigint, point: UsagePoint): void {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const record = encode({ ...point, gpus: point.gpus.slice(0, MAX_GPUS) })
      const file = openSync(fileOf(orderId, Math.min(MAX_GPUS, point.gpus.length)), constants.O_RDWR | constants.O_CREAT, 0o600)
      try {
        writeSync(file, record, 0, record.length, slotOf(point.time) * record.length)
      } finally {
        closeSync(file)
      }
    },

    /** The points between two times (Unix seconds, both included), at most so many: each is the mean of those it stands for. */
    read(orderId: bigint, gpus: number, { from, to, points }: { from: number; to: number; points: number }): UsagePoint[] {
      const first = numberOf(Math.max(from, to - KEPT_SECONDS + RECORD_SECONDS))
      const perPoint = Math.max(1, Math.ceil((numberOf(to) - first + 1) / points))
      const groups = new Map<number, UsagePoint[]>()
      for (const point of readRecords(fileOf(orderId, Math.min(MAX_GPUS, gpus)), Math.min(MAX_GPUS, gpus))) {
        if (point.time < from || point.time > to || numberOf(point.time) < first) continue
        const place = Math.floor((numberOf(point.time) - first) / perPoint)
        const group = groups.get(place) ?? []
        group.push(point)
        groups.set(place, group)
      }
      return [...groups].sort(([a], [b]) => a - b).map(([, group]) => meanOf(group))
    },

    /** Whose usage is kept here. */
    owners(): bigint[] {
      try {
        return [
          ...new Set(readdirSync(folder).flatMap((name) => (/^\d+-\d+$/.test(name) ? BigInt(name.split('-')[0] as string) : []))),
        ]
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
        throw error
      }
    },

    remove(orderId: bigint): void {
      try {
        for (const name of readdirSync(folder)) if (name.startsWith(`${orderId}-`)) rmSync(join(folder, name), { force: true })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      }
    },
  }
}
export type UsageRing = ReturnType<typeof createUsageRing>

const numberOf = (time: number): number => Math.floor(time / RECORD_SECONDS)
const slotOf = (time: number): number => numberOf(time) % SLOTS

function* readRecords(path: string, gpus: number): Generator<UsagePoint> {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return
  }
  try {
    const size = BASE_BYTES + gpus * GPU_BYTES
    const buffer = Buffer.alloc(size * READ_RECORDS)
    for (let slot = 0; slot < SLOTS; slot += READ_RECORDS) {
      const bytes = readSync(file, buffer, 0, buffer.length, slot * size)
      for (let at = 0; at + size <= bytes; at += size) {
        const time = buffer.readDoubleLE(at)
        // Holes are zero, and a record that lies in another's place was not finished.
        if (time > 0 && slotOf(time) === slot + at / size) yield decode(buffer, at, gpus)
      }
    }
  } finally {
    closeSync(file)
  }
}

const GPU_FIELDS = ['usePercent', 'memoryUsedMb', 'celsius', 'watts'] as const satisfies readonly (keyof GpuUsage)[]

function encode(point: UsagePoint): Buffer {
  const record = Buffer.alloc(BASE_BYTES + point.gpus.length * GPU_BYTES)
  record.writeDoubleLE(point.time, 0)
  record.writeDoubleLE(point.memoryBytes, 8)
  record.writeDoubleLE(point.diskBytes ?? Number.NaN, 16)
  record.writeDoubleLE(point.receivedPerSecond, 24)
  record.writeDoubleLE(point.sentPerSecond, 32)
  record.writeFloatLE(point.cores, 40)
  record.writeFloatLE(point.processes, 44)
  for (const [index, gpu] of point.gpus.entries())
    for (const [field, name] of GPU_FIELDS.entries())
      record.writeFloatLE(gpu[name] ?? Number.NaN, BASE_BYTES + index * GPU_BYTES + field * 4)
  return record
}

function decode(record: Buffer, at: number, gpus: number): UsagePoint {
  return {
    time: record.readDoubleLE(at),
    memoryBytes: record.readDoubleLE(at + 8),
    diskBytes: known(record.readDoubleLE(at + 16)),
    receivedPerSecond: record.readDoubleLE(at + 24),
    sentPerSecond: record.readDoubleLE(at + 32),
    cores: record.readFloatLE(at + 40),
    processes: record.readFloatLE(at + 44),
    gpus: Array.from({ length: gpus }, (_, index) =>
      Object.fromEntries(
        GPU_FIELDS.map((name, field) => [name, known(record.readFloatLE(at + BASE_BYTES + index * GPU_BYTES + field * 4))]),
      ),
    ),
  }
}

const known = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value)

/** Of the points of one stretch of time; its time is that of the last. */
function meanOf(group: readonly UsagePoint[]): UsagePoint {
  const mean = (values: readonly (number | undefined)[]): number | undefined => {
    const there = values.filter((one) => one !== undefined)
    return there.length > 0 ? there.reduce((sum, one) => sum + one, 0) / there.length : undefined
  }
  const of = (name: 'cores' | 'processes' | 'memoryBytes' | 'receivedPerSecond' | 'sentPerSecond') =>
    mean(group.map((one) => one[name])) ?? 0
  return {
    time: Math.max(...group.map((one) => one.time)),
    ...{ cores: of('cores'), processes: of('processes'), memoryBytes: of('memoryBytes') },
    ...{ receivedPerSecond: of('receivedPerSecond'), sentPerSecond: of('sentPerSecond') },
    diskBytes: mean(group.map((one) => one.diskBytes)),
    gpus: (group[0]?.gpus ?? []).map((_, index) =>
      Object.fromEntries(GPU_FIELDS.map((name) => [name, mean(group.map((one) => one.gpus[index]?.[name]))])),
    ),
  }
}
