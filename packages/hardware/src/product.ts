/**
 * A matrix X over the integers modulo a prime: the rows of each round are a sparse matrix, drawn from the hash of the rounds before, times
 * all earlier rows. A row costs 17 rows of memory traffic; without the earlier rows it also costs recomputing them, and the rows they
 * depend on.
 */

/** 2^31 - 1: every word is below it, so that sixteen products with a 17-bit coefficient are exact in a double. */
export const PRIME = 2_147_483_647
export const ROW_WORDS = 256
export const ROW_BYTES = ROW_WORDS * 4
/** Rounds of equally many rows. Only the first is drawn from the seed alone, so a prover can save at most a 64th of the memory. */
export const ROUNDS = 64
/** Earlier rows that a row is combined from. */
export const PARENTS = 16

const SEGMENT_BITS = 18
const SEGMENT_ROWS = 2 ** SEGMENT_BITS

export type RowMemory = readonly Uint32Array<SharedArrayBuffer>[]

/** Memory for rows that threads can share, in chunks of 256 MiB. */
export const createRowMemory = (rows: number): RowMemory =>
  Array.from({ length: Math.ceil(rows / SEGMENT_ROWS) }, (_, index) => {
    const own = Math.min(SEGMENT_ROWS, rows - index * SEGMENT_ROWS)
    return new Uint32Array(new SharedArrayBuffer(own * ROW_BYTES))
  })

export function rowOf(memory: RowMemory, row: number): Uint32Array {
  const at = (row & (SEGMENT_ROWS - 1)) * ROW_WORDS
  return (memory[row >>> SEGMENT_BITS] as Uint32Array).subarray(at, at + ROW_WORDS)
}

/** Little-endian, as rows are hashed and sent. */
export function writeRow(words: Uint32Array, bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  for (let index = 0; index < ROW_WORDS; index += 1) view.setUint32(index * 4, words[index] ?? 0, true)
}

export function readRow(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return Uint32Array.from({ length: ROW_WORDS }, (_, index) => view.getUint32(index * 4, true))
}

/** Finalizer of MurmurHash3: spreads an unpredictable seed. */
function mix(value: number): number {
  let bits = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Pseudo-random words from a seed of 32 bytes and the index of a row. */
function stream(seed: Uint8Array, index: number): (place: number) => number {
  const view = new DataView(seed.buffer, seed.byteOffset)
  const start = mix(mix(view.getUint32(0, true) ^ index) + view.getUint32(4, true))
  const stride = mix(mix(view.getUint32(8, true) ^ index) + view.getUint32(12, true)) | 1
  return (place) => mix(start + Math.imul(place, stride))
}

/** A row of the first round. */
export function baseRow(seed: Uint8Array, index: number, target: Uint32Array): void {
  const word = stream(seed, index)
  for (let place = 0; place < ROW_WORDS; place += 1) target[place] = word(place) % PRIME
}

/** Which of the `earlier` rows a row of a later round is combined from, and with which coefficients. */
export function parentsOf(seed: Uint8Array, index: number, earlier: number): { rows: number[]; coefficients: number[] } {
  const word = stream(seed, index)
  const [rows, coefficients]: [number[], number[]] = [[], []]
  for (let parent = 0; parent < PARENTS; parent += 1) {
    rows.push(Math.floor((word(2 * parent) / 2 ** 32) * earlier))
    coefficients.push(1 + (word(2 * parent + 1) & 0xffff))
  }
  return { rows, coefficients }
}

const sums = new Float64Array(ROW_WORDS)

interface Place {
  words: Uint32Array
  at: number
}

/** The row combined from these: `parent` returns the memory and the offset of the n-th of them. */
export function combine(coefficients: readonly number[], parent: (place: number) => Place, target: Uint32Array): void {
  sums.fill(0)
  for (let place = 0; place < PARENTS; place += 4)
    addFour(
      [parent(place), parent(place + 1), parent(place + 2), parent(place + 3)],
      coefficients.slice(place, place + 4) as [number, number, number, number],
    )
  for (let word = 0; word < ROW_WORDS; word += 1) {
    const sum = sums[word] as number
    const high = Math.floor(sum / 2 ** 31)
    const folded = high + (sum - high * 2 ** 31)
    target[word] = folded >= PRIME ? folded - PRIME : folded
  }
}

/** Adding four at a time takes a third less than one after the other. */
function addFour([a, b, c, d]: [Place, Place, Place, Place], [ka, kb, kc, kd]: [number, number, number, number]): void {
  const [{ words: aw, at: ai }, { words: bw, at: bi }, { words: cw, at: ci }, { words: dw, at: di }] = [a, b, c, d]
  for (let word = 0; word < ROW_WORDS; word += 1)
    sums[word] =
      (sums[word] as number) +
      ka * (aw[ai + word] as number) +
      kb * (bw[bi + word] as number) +
      kc * (cw[ci + word] as number) +
      kd * (dw[di + word] as number)
}

/**
 * Computes the rows from `from` (inclusive) to `to` (exclusive) of a round, which can be spread over threads: they depend only on earlier
 * rounds.
 */
export function fillRows(
  memory: RowMemory,
  options: { seed: Uint8Array; round: number; rowsPerRound: number; from: number; to: number },
): void {
  const { seed, round, rowsPerRound } = options
  const earlier = round * rowsPerRound
  for (let index = options.from; index < options.to; index += 1) {
    const target = rowOf(memory, earlier + index)
    if (round === 0) {
      baseRow(seed, index, target)
      continue
    }
    const { rows, coefficients } = parentsOf(seed, index, earlier)
    const parent = (place: number) => {
      const row = rows[place] ?? 0
      return { words: memory[row >>> SEGMENT_BITS] as Uint32Array, at: (row & (SEGMENT_ROWS - 1)) * ROW_WORDS }
    }
    combine(coefficients, parent, target)
  }
}
