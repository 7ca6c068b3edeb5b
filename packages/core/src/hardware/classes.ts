import { ROUNDS, ROW_BYTES } from './product.ts'

/** What a test takes and how long it may take. Times are in ms, as the monitor measures them, network included. */
export interface HardwareClass {
  /** 1 proves the least. */
  id: number
  /** Of the memory that is sold, in thousandths; 0 where `sampleBytes` are enough. */
  memoryPermille: number
  sampleBytes: number
  /** Cores that compute at the same time; 0 for all that are sold. */
  sampleCores: number
  /** Of the memory under test: more than the tenth of it that is left free, so that the file cannot hide there. */
  diskPermille: number
  /** What Argon2id takes at each core, in KiB. */
  argonKib: number
  /** Steps of the walk over memory, and over the file. */
  memorySteps: number
  diskSteps: number
  /** How long these may take. A step over memory hashes a KiB and reads it where no cache has it; one over the file waits for a disk that turns. */
  memoryWalkMs: number
  diskWalkMs: number
}

/**
 * The first shows that an agent computes, on a machine with little to spare, and no more: its rows are made again in less than its walk may take. The second takes nine tenths of the memory that is sold. A GPU's memory has
 * no class yet: a result says that it was not measured.
 */
export const HARDWARE_CLASSES = [
  {
    id: 1,
    ...{ memoryPermille: 0, sampleBytes: 16 * 2 ** 20, sampleCores: 1, diskPermille: 250 },
    ...{ argonKib: 4096, memorySteps: 4096, diskSteps: 64, memoryWalkMs: 10_000, diskWalkMs: 10_000 },
  },
  {
    id: 2,
    ...{ memoryPermille: 900, sampleBytes: 0, sampleCores: 0, diskPermille: 125 },
    ...{ argonKib: 16_384, memorySteps: 65_536, diskSteps: 128, memoryWalkMs: 2_500, diskWalkMs: 4_500 },
  },
] as const satisfies readonly HardwareClass[]

export const hardwareClass = (id: number): HardwareClass | undefined => HARDWARE_CLASSES.find((one) => one.id === id)

const GIB = 2 ** 30
/** The network, the start of a process, a machine that is busy for a moment. */
const SLACK_MS = 10_000
/** A GiB of memory at one core of 2015, three times what a core of 2024 takes. */
const GIB_CORE_MS = 30_000
const DISK_BYTES_PER_MS = 50_000
/** One Argon2id of 16 MiB, three times over. */
const ARGON_MS = 300

/** How long a test of so much may take from the question to the roots. */
export const makingLimitMs = ({ memoryBytes, diskBytes, cores }: HardwareSize): number =>
  Math.ceil(
    SLACK_MS + ARGON_MS + ((memoryBytes + diskBytes) / GIB) * (GIB_CORE_MS / Math.max(1, cores)) + diskBytes / DISK_BYTES_PER_MS,
  )

/** One row in each round. */
const ROUND_BYTES = ROUNDS * ROW_BYTES

/** Rows a round that come to this much memory; at least as much as asked for. */
export const rowsPerRoundOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / ROUND_BYTES))

/** Cores of a node that are tested: more than a machine has are none. */
const MAX_CORES = 1024

export interface HardwareSize {
  memoryBytes: number
  diskBytes: number
  cores: number
}

/** What has to be tested of a node of so many GB and cores. */
export function hardwareSize(one: HardwareClass, node: { nMEM: number; nCPU: number; core: number }): HardwareSize {
  const asked = one.memoryPermille > 0 ? Math.floor((node.nMEM * GIB * one.memoryPermille) / 1000) : one.sampleBytes
  const memoryBytes = rowsPerRoundOf(asked) * ROUND_BYTES
  const diskBytes = rowsPerRoundOf(Math.floor((memoryBytes * one.diskPermille) / 1000)) * ROUND_BYTES
  const cores = Math.min(MAX_CORES, Math.max(1, one.sampleCores || node.nCPU * node.core))
  return { memoryBytes, diskBytes, cores }
}
