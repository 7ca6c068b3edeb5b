import { argon2 } from 'node:crypto'
import { fsyncSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { ARGON_SETTINGS, argonInput } from '@rackfair/hardware/argon'
import { createHashTree, type HashTree, treeBytes } from '@rackfair/hardware/hashTree'
import { createRowMemory, ROW_BYTES, rowOf } from '@rackfair/hardware/product'
import { makeProduct, openRows, openWalk, type Rows, rowCount, walkRows } from '@rackfair/hardware/proof'
import { runCommand } from '../../foundation/runCommand.ts'
import { createThreads } from './createThreads.ts'
import { rowBytes } from './makePart.ts'
import { sha256 } from './sha256.ts'

/** The measurement of one node. Seeds are `firstSeed` of each use. */
export interface MeasurementJob {
  seeds: { memory: Uint8Array; disk: Uint8Array }
  rowsPerRound: { memory: number; disk: number }
  steps: { memory: number; disk: number }
  cores: number
  argonKib: number
  /** The file that the disk's rows are written to. */
  file: string
}
export type Use = 'memory' | 'disk'

export interface Promised {
  memory: Uint8Array[]
  disk: Uint8Array[]
  argon: Uint8Array[]
}

/** Rows per write. */
const WRITTEN_ROWS = 1024
const hashArgon = promisify(argon2)

/**
 * Measures this machine in the calling process, which holds the memory until it exits. The file is made first, in the same memory: once the
 * memory's own rows are made, the file's rows exist nowhere else.
 */
export async function createMeasurement(job: MeasurementJob) {
  const memory = createRowMemory(rowCount({ rowsPerRound: Math.max(job.rowsPerRound.memory, job.rowsPerRound.disk) }))
  const threads = createThreads(Math.min(job.cores, availableParallelism()))
  const make = async (use: Use) => {
    const rowsPerRound = job.rowsPerRound[use]
    const made = await makeProduct({
      ...{ hash: sha256, first: job.seeds[use], rowsPerRound },
      async makeRound(round, seed) {
        const nodes = new Uint8Array(new SharedArrayBuffer(treeBytes(rowsPerRound)))
        await threads.make(memory, nodes, { seed, round, rowsPerRound })
        return createHashTree(rowsPerRound, sha256, nodes)
      },
    })
    return { ...made, rowsPerRound }
  }
  const argon = await Promise.all(Array.from({ length: job.cores }, (_, core) => argonOf(job, core)))
  const disk = await make('disk')
  const file = writeFile(job.file, rowCount(disk), memory)
  await forgetCache(job.file)
  // Unlinked at once, so that it disappears with the process that has it open.
  rmSync(job.file, { force: true })
  const inMemory = await make('memory')
  await threads.stop()
  const fileRow = new Uint8Array(ROW_BYTES)
  const rows: Record<Use, Rows> = {
    memory: { ...inMemory, read: (row) => rowBytes(memory, row) },
    disk: {
      ...disk,
      read(row) {
        readSync(file, fileRow, 0, ROW_BYTES, row * ROW_BYTES)
        return fileRow
      },
    },
  }
  const walks = new Map<string, HashTree>()
  return {
    promised: { memory: inMemory.roots, disk: disk.roots, argon } satisfies Promised,
    /** Walks for a monitor, which may then open the rows and steps it requests. */
    walk(monitor: string, use: Use, salt: Uint8Array): Uint8Array {
      const { root, tree } = walkRows(sha256, rows[use], salt, job.steps[use])
      walks.set(`${monitor} ${use}`, tree)
      return root
    },
    /** The rows and steps drawn by a salt; throws if the monitor has not walked. */
    open(monitor: string, use: Use, salt: Uint8Array): { rows: Uint8Array; walk: Uint8Array } {
      const tree = walks.get(`${monitor} ${use}`)
      if (!tree) throw new Error('nothing was walked')
      // Rows are read into a shared buffer, so each must be copied to be kept.
      const kept: Rows = { ...rows[use], read: (row) => rows[use].read(row).slice() }
      return {
        rows: openRows(sha256, kept, job.seeds[use], salt),
        walk: openWalk(sha256, kept, tree, job.steps[use], salt),
      }
    },
  }
}

async function argonOf({ seeds, argonKib }: MeasurementJob, core: number): Promise<Uint8Array> {
  return hashArgon('argon2id', { ...argonInput(sha256, seeds.memory, core), ...ARGON_SETTINGS, memory: argonKib })
}

function writeFile(path: string, rows: number, memory: ReturnType<typeof createRowMemory>): number {
  const file = openSync(path, 'w+', 0o600)
  const block = new Uint8Array(WRITTEN_ROWS * ROW_BYTES)
  for (let start = 0; start < rows; start += WRITTEN_ROWS) {
    const count = Math.min(WRITTEN_ROWS, rows - start)
    for (let index = 0; index < count; index += 1) {
      const words = rowOf(memory, start + index)
      block.set(new Uint8Array(words.buffer, words.byteOffset, ROW_BYTES), index * ROW_BYTES)
    }
    writeSync(file, block, 0, count * ROW_BYTES)
  }
  fsyncSync(file)
  return file
}

/** Drops a file from the page cache, so that reads come from the disk. If that fails, reads are merely faster. */
const forgetCache = (path: string): Promise<unknown> =>
  runCommand('dd', [`if=${path}`, 'iflag=nocache', 'count=0', 'status=none']).catch(() => undefined)
