import { createHashTree } from '@rackfair/hardware/hashTree'
import { fillRows, ROW_BYTES, type RowMemory, rowOf } from '@rackfair/hardware/product'
import { sha256 } from './sha256.ts'

/** A part of a round: its rows, and the part of their hash tree that depends on them alone. */
export interface RoundPart {
  seed: Uint8Array
  round: number
  rowsPerRound: number
  from: number
  to: number
}

const scratch = new Uint8Array(ROW_BYTES)

/** The bytes of a row; valid until the next call. Rows are little-endian, like the machines this runs on. */
export function rowBytes(memory: RowMemory, row: number): Uint8Array {
  const words = rowOf(memory, row)
  scratch.set(new Uint8Array(words.buffer, words.byteOffset, ROW_BYTES))
  return scratch
}

/** Makes a part of a round in memory shared by threads. `nodes` is the memory of the round's tree. */
export function makePart(memory: RowMemory, nodes: Uint8Array<SharedArrayBuffer>, part: RoundPart): void {
  const { round, rowsPerRound, from, to } = part
  fillRows(memory, part)
  const tree = createHashTree(rowsPerRound, sha256, nodes)
  for (let index = from; index < to; index += 1) tree.leaf(index).set(sha256(rowBytes(memory, round * rowsPerRound + index)))
  tree.raisePart(from, to)
}
