import { ROUNDS, ROW_BYTES } from './product.ts'

/** What a test measures and its time limits. Times are in ms, as the monitor measures them, network included. */
export interface HardwareClass {
  /** Higher ids prove more. */
  id: number
  /** Share of the sold memory under test, in thousandths; 0 if only `sampleBytes` are tested. */
  memoryPermille: number
  sampleBytes: number
  /** Cores that compute in parallel; 0 for all that are sold. */
  sampleCores: number
  /**
   * Size of the file, in thousandths of the memory under test: more than the tenth of the memory that is left free, so that the file cannot
   * hide there.
   */
  diskPermille: number
  /** Memory of Argon2id at each core, in KiB. */
  argonKib: number
  /** Steps of the walk over memory, and over the file. */
  memorySteps: number
  diskSteps: number
  /** Limits for the walks. A step over memory hashes a KiB and reads it uncached; one over the file waits for a spinning disk. */
  memoryWalkMs: number
  diskWalkMs: number
}

/**
 * Class 1 only shows that an agent computes, on a machine with little to spare: its rows can be recomputed in less than the limit of its
 * walk. Class 2 tests nine tenths of the sold memory. GPU memory has no class yet: a result says that it was not measured.
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
/** Allowance for the network, the start of a process, and a machine that is briefly busy. */
const SLACK_MS = 10_000
/** A GiB of memory on one core of 2015, three times what a core of 2024 takes. */
const GIB_CORE_MS = 30_000
const DISK_BYTES_PER_MS = 50_000
/** Three times the duration of one Argon2id of 16 MiB. */
const ARGON_MS = 300

/** An agent gives up a test whose memory is not filled by then, whatever size a provider names on the chain. */
export const MAX_MAKING_MS = 600_000

/** Time limit in ms for a test of this size, from the question to the roots. */
export const makingLimitMs = ({ memoryBytes, diskBytes, cores }: HardwareSize): number =>
  Math.min(
    MAX_MAKING_MS,
    Math.ceil(
      SLACK_MS +
        ARGON_MS +
        ((memoryBytes + diskBytes) / GIB) * (GIB_CORE_MS / Math.max(1, cores)) +
        diskBytes / DISK_BYTES_PER_MS,
    ),
  )

/** Bytes of one row in each round. */
const ROUND_BYTES = ROUNDS * ROW_BYTES

/** Rows per round for at least this much memory. */
export const rowsPerRoundOf = (bytes: number): number => Math.max(1, Math.ceil(bytes / ROUND_BYTES))

/** Cores of a node to test at most: no machine has more. */
const MAX_CORES = 1024

export interface HardwareSize {
  memoryBytes: number
  diskBytes: number
  cores: number
}

/** The size of a test for a node with so many GB and cores. */
export function hardwareSize(one: HardwareClass, node: { nMEM: number; nCPU: number; core: number }): HardwareSize {
  const asked = one.memoryPermille > 0 ? Math.floor((node.nMEM * GIB * one.memoryPermille) / 1000) : one.sampleBytes
  const memoryBytes = rowsPerRoundOf(asked) * ROUND_BYTES
  const diskBytes = rowsPerRoundOf(Math.floor((memoryBytes * one.diskPermille) / 1000)) * ROUND_BYTES
  const cores = Math.min(MAX_CORES, Math.max(1, one.sampleCores || node.nCPU * node.core))
  return { memoryBytes, diskBytes, cores }
}
