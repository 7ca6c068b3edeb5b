import { hash as digest } from 'node:crypto'
import type { Hash } from '../Hash.ts'
import { createHashTree } from '../hashTree.ts'
import { createRowMemory, fillRows, ROW_BYTES, type RowMemory, rowOf, writeRow } from '../product.ts'
import { makeProduct, type Rows, rowCount } from '../proof.ts'

export const sha256: Hash = (bytes) => digest('sha256', bytes, 'buffer')

/** A single-threaded prover: honest, unless it alters the rows of a round before it commits to them and continues from them. */
export async function makeRows(
  first: Uint8Array,
  rowsPerRound: number,
  alter: (row: Uint32Array, round: number) => void = () => undefined,
): Promise<Rows & { memory: RowMemory }> {
  const memory = createRowMemory(rowCount({ rowsPerRound }))
  const read = (row: number): Uint8Array => {
    const bytes = new Uint8Array(ROW_BYTES)
    writeRow(rowOf(memory, row), bytes)
    return bytes
  }
  const made = await makeProduct({
    ...{ hash: sha256, first, rowsPerRound },
    async makeRound(round, seed) {
      fillRows(memory, { seed, round, rowsPerRound, from: 0, to: rowsPerRound })
      const tree = createHashTree(rowsPerRound, sha256)
      for (let index = 0; index < rowsPerRound; index += 1) {
        alter(rowOf(memory, round * rowsPerRound + index), round)
        tree.leaf(index).set(sha256(read(round * rowsPerRound + index)))
      }
      tree.raisePart(0, rowsPerRound)
      return tree
    },
  })
  return { ...made, rowsPerRound, read, memory }
}
