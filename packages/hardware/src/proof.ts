import { lowerCaseAddress } from '@rackfair/rules/address'
import { HASH_BYTES, type Hash, hashAll, isEqual, numberBelow } from './Hash.ts'
import { createHashTree, type HashTree, isUnderRoot, pathLength } from './hashTree.ts'
import { baseRow, combine, PARENTS, PRIME, parentsOf, ROUNDS, ROW_BYTES, ROW_WORDS, readRow } from './product.ts'

/**
 * Rows whose computation is checked, and steps of the walk. A prover with a quarter of either wrong passes once in 31 times and once in
 * 1,000.
 */
export const CHECKED_ROWS = 12
export const CHECKED_STEPS = 24

/** What a prover commits to: the root of each round, which determines the next. */
export interface Commitment {
  rowsPerRound: number
  roots: readonly Uint8Array[]
}

/** The rows of a prover, in memory or on disk. */
export interface Rows extends Commitment {
  trees: readonly HashTree[]
  /** The bytes of a row, indexed over all rounds. */
  read: (row: number) => Uint8Array
}

export const rowCount = ({ rowsPerRound }: Pick<Commitment, 'rowsPerRound'>): number => rowsPerRound * ROUNDS

/** The seed of the first round: unpredictable before the beacon, and specific to one node and one use. */
export const firstSeed = (
  hash: Hash,
  facts: { chainId: number; provider: string; nodeId: bigint; beacon: string; use: string },
): Uint8Array =>
  hash(
    new TextEncoder().encode(
      `rackfair hardware\nchain: ${facts.chainId}\nprovider: ${lowerCaseAddress(facts.provider)}\nnode: ${facts.nodeId}\nbeacon: ${facts.beacon.toLowerCase()}\nuse: ${facts.use}`,
    ),
  )

/** The seed of the round after the one with this root. */
export const nextSeed = (hash: Hash, seed: Uint8Array, root: Uint8Array): Uint8Array => hashAll(hash, seed, root)

export function seedsOf(hash: Hash, first: Uint8Array, roots: readonly Uint8Array[]): Uint8Array[] {
  const seeds = [first]
  for (const root of roots.slice(0, -1)) seeds.push(nextSeed(hash, seeds.at(-1) as Uint8Array, root))
  return seeds
}

/** Numbers below `limit`, unpredictable before `salt`. */
const drawn = (hash: Hash, salt: Uint8Array, name: string, length: number, limit: number): number[] =>
  Array.from({ length }, (_, index) => numberBelow(limit, hashAll(hash, new TextEncoder().encode(`${name} ${index}\n`), salt)))

/** The rows to open for a salt: each with the rows it is combined from, itself first. */
function rowsAskedFor(hash: Hash, salt: Uint8Array, seeds: readonly Uint8Array[], rowsPerRound: number): number[][] {
  return drawn(hash, salt, 'row', CHECKED_ROWS, rowsPerRound * ROUNDS).map((row) => {
    const round = Math.floor(row / rowsPerRound)
    if (round === 0) return [row]
    const earlier = round * rowsPerRound
    return [row, ...parentsOf(seeds[round] as Uint8Array, row - earlier, earlier).rows]
  })
}

/** The opened rows, each followed by its path. */
export function openRows(hash: Hash, rows: Rows, first: Uint8Array, salt: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  for (const row of rowsAskedFor(hash, salt, seedsOf(hash, first, rows.roots), rows.rowsPerRound).flat())
    parts.push(...openRow(rows, row))
  return joined(parts)
}

const openRow = ({ rowsPerRound, trees, read }: Rows, row: number): Uint8Array[] => [
  read(row),
  ...(trees[Math.floor(row / rowsPerRound)] as HashTree).path(row % rowsPerRound),
]

/** Why a proof is refused; undefined for a valid one. */
export type ProofProblem = 'length' | 'path' | 'product' | 'walk'

/**
 * Checks that the rows selected by `salt` lie under the roots and have the correct product. Rows are compared word by word: with only
 * sixteen earlier rows, that is cheaper than Freivalds' random vector.
 */
export function checkRows(
  hash: Hash,
  commitment: Commitment,
  first: Uint8Array,
  salt: Uint8Array,
  proof: Uint8Array,
): ProofProblem | undefined {
  const { rowsPerRound, roots } = commitment
  const seeds = seedsOf(hash, first, roots)
  const cursor = createCursor(proof)
  for (const asked of rowsAskedFor(hash, salt, seeds, rowsPerRound)) {
    const opened: Uint32Array[] = []
    for (const row of asked) {
      const bytes = takeRow(hash, commitment, cursor, row)
      if (typeof bytes === 'string') return bytes
      opened.push(readRow(bytes))
    }
    const [self, ...parents] = opened as [Uint32Array, ...Uint32Array[]]
    if (!isMade(self, parents, seeds, asked[0] as number, rowsPerRound)) return 'product'
  }
  return cursor.atEnd() ? undefined : 'length'
}

function isMade(self: Uint32Array, parents: Uint32Array[], seeds: Uint8Array[], row: number, rowsPerRound: number): boolean {
  const round = Math.floor(row / rowsPerRound)
  const [seed, index] = [seeds[round] as Uint8Array, row % rowsPerRound]
  const expected = new Uint32Array(ROW_WORDS)
  if (parents.some((words) => words.some((word) => word >= PRIME))) return false
  if (round === 0) baseRow(seed, index, expected)
  else {
    const { coefficients } = parentsOf(seed, index, round * rowsPerRound)
    combine(coefficients, (place) => ({ words: parents[place] as Uint32Array, at: 0 }), expected)
  }
  return expected.every((word, place) => word === self[place])
}

function takeRow(hash: Hash, { rowsPerRound, roots }: Commitment, cursor: Cursor, row: number): Uint8Array | 'length' | 'path' {
  const index = row % rowsPerRound
  const bytes = cursor.take(ROW_BYTES)
  const path = takePath(cursor, pathLength(rowsPerRound, index))
  if (!bytes || !path) return 'length'
  const root = roots[Math.floor(row / rowsPerRound)] as Uint8Array
  return isUnderRoot(hash, { root, leaves: rowsPerRound }, index, hash(bytes), path) ? bytes : 'path'
}

/**
 * A walk over all rows, unpredictable before `salt`: the row read in each step selects the next one. A prover without the rows has to
 * recompute them, and the rows they are combined from, at every step.
 */
export function walkRows(
  hash: Hash,
  rows: Pick<Rows, 'rowsPerRound' | 'roots' | 'read'>,
  salt: Uint8Array,
  steps: number,
): { root: Uint8Array; tree: HashTree } {
  const tree = createHashTree(steps + 1, hash)
  const limit = rowCount(rows)
  const scratch = new Uint8Array(HASH_BYTES + ROW_BYTES)
  let state = walkStart(hash, rows.roots, salt)
  for (let step = 0; step < steps; step += 1) {
    tree.leaf(step).set(state)
    scratch.set(state)
    scratch.set(rows.read(numberBelow(limit, state)), HASH_BYTES)
    state = hash(scratch)
  }
  tree.leaf(steps).set(state)
  tree.raisePart(0, steps + 1)
  return { root: tree.finish(), tree }
}

const walkStart = (hash: Hash, roots: readonly Uint8Array[], salt: Uint8Array): Uint8Array =>
  hashAll(hash, roots.at(-1) as Uint8Array, salt)

const stepsAskedFor = (hash: Hash, salt: Uint8Array, steps: number): number[] => [
  0,
  ...drawn(hash, salt, 'step', CHECKED_STEPS - 1, steps),
]

/** The steps of a walk selected by `salt`, which is drawn after the walk: each state, the next one, and the row between them. */
export function openWalk(hash: Hash, rows: Rows, tree: HashTree, steps: number, salt: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  for (const step of stepsAskedFor(hash, salt, steps)) {
    for (const place of [step, step + 1]) parts.push(tree.leaf(place), ...tree.path(place))
    parts.push(...openRow(rows, numberBelow(rowCount(rows), tree.leaf(step))))
  }
  return joined(parts)
}

/** Checks the steps of a walk selected by `salt`. `start` is the salt that the walk began with. */
export function checkWalk(
  hash: Hash,
  commitment: Commitment,
  walk: { root: Uint8Array; steps: number; start: Uint8Array },
  salt: Uint8Array,
  proof: Uint8Array,
): ProofProblem | undefined {
  const cursor = createCursor(proof)
  const states = { root: walk.root, leaves: walk.steps + 1 }
  for (const step of stepsAskedFor(hash, salt, walk.steps)) {
    const between: Uint8Array[] = []
    for (const place of [step, step + 1]) {
      const state = cursor.take(HASH_BYTES)
      const path = takePath(cursor, pathLength(states.leaves, place))
      if (!state || !path) return 'length'
      if (!isUnderRoot(hash, states, place, state, path)) return 'path'
      between.push(state)
    }
    const [state, next] = between as [Uint8Array, Uint8Array]
    const row = takeRow(hash, commitment, cursor, numberBelow(rowCount(commitment), state))
    if (typeof row === 'string') return row
    const isFirst = step > 0 || isEqual(state, walkStart(hash, commitment.roots, walk.start))
    if (!isFirst || !isEqual(next, hashAll(hash, state, row))) return 'walk'
  }
  return cursor.atEnd() ? undefined : 'length'
}

type Cursor = ReturnType<typeof createCursor>

function createCursor(bytes: Uint8Array) {
  let at = 0
  return {
    take(length: number): Uint8Array | undefined {
      if (at + length > bytes.length) return undefined
      at += length
      return bytes.subarray(at - length, at)
    },
    atEnd: () => at === bytes.length,
  }
}

function takePath(cursor: Cursor, length: number): Uint8Array[] | undefined {
  const path: Uint8Array[] = []
  for (let index = 0; index < length; index += 1) {
    const one = cursor.take(HASH_BYTES)
    if (!one) return undefined
    path.push(one)
  }
  return path
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/**
 * Computes all rows in memory, round by round. `makeRound` may spread a round over threads; it writes the rows and the leaves of the tree.
 */
export async function makeProduct(options: {
  hash: Hash
  first: Uint8Array
  rowsPerRound: number
  makeRound: (round: number, seed: Uint8Array) => Promise<HashTree>
}): Promise<{ roots: Uint8Array[]; trees: HashTree[] }> {
  const { hash, first, makeRound } = options
  const [roots, trees]: [Uint8Array[], HashTree[]] = [[], []]
  let seed = first
  for (let round = 0; round < ROUNDS; round += 1) {
    const tree = await makeRound(round, seed)
    const root = tree.finish()
    trees.push(tree)
    roots.push(root)
    seed = nextSeed(hash, seed, root)
  }
  return { roots, trees }
}

/** Maximum size in bytes of the proofs for this many rows: longer ones are not read. */
export const maxProofBytes = (rowsPerRound: number, steps: number): number => {
  const deepest = (leaves: number) => pathLength(leaves, 0) * HASH_BYTES
  const row = ROW_BYTES + deepest(rowsPerRound)
  return CHECKED_ROWS * (PARENTS + 1) * row + CHECKED_STEPS * (2 * (HASH_BYTES + deepest(steps + 1)) + row)
}
