import fc from 'fast-check'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { argonInput } from './argon.ts'
import { HASH_BYTES, isEqual, numberBelow } from './Hash.ts'
import { createHashTree, isUnderRoot, PART_LEAVES, pathLength, treeBytes } from './hashTree.ts'
import {
  baseRow,
  combine,
  createRowMemory,
  fillRows,
  PARENTS,
  PRIME,
  parentsOf,
  ROUNDS,
  ROW_BYTES,
  ROW_WORDS,
  rowOf,
} from './product.ts'
import {
  CHECKED_ROWS,
  CHECKED_STEPS,
  checkRows,
  checkWalk,
  firstSeed,
  maxProofBytes,
  openRows,
  openWalk,
  type Rows,
  rowCount,
  seedsOf,
  walkRows,
} from './proof.ts'
import { makeRows, sha256 } from './testing/makeRows.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const FACTS = { chainId: 2985, provider: `0x${'ab'.repeat(20)}`, nodeId: 1n, beacon: `0x${'be'.repeat(32)}`, use: 'memory' }
const FIRST = firstSeed(sha256, FACTS)
const SALT = sha256(Buffer.from('salt'))
const LATER = sha256(Buffer.from('later'))
const ROWS_PER_ROUND = 13
const STEPS = 600
/** Enough for some to draw rows of the first round. */
const SALTS = Array.from({ length: 8 }, (_, index) => sha256(Buffer.from(`salt ${index}`)))

test.each<[number[], number[], boolean]>([
  [[1, 2], [1, 2], true],
  [[1, 2], [1, 3], false],
  [[1, 2], [1, 2, 3], false],
  [[1, 2, 3], [1, 2], false],
  [[], [], true],
])('%j equals %j in bytes: %j', (a, b, expected) => expect(isEqual(Uint8Array.from(a), Uint8Array.from(b))).toBe(expected))

test('derives a distinct, reproducible Argon2id input for each core', () => {
  const inputs = [0, 1].map((core) => argonInput(sha256, FIRST, core))
  expect(inputs.map(({ message }) => message)).toEqual([FIRST, FIRST])
  expect(inputs.map(({ nonce }) => hex(nonce))).toMatchInlineSnapshot(`
    [
      "07539b272f5eda80a6b9c822610be3f4",
      "72e9831d496cf01337de37b4f36182a8",
    ]
  `)
})

describe('hash tree', () => {
  it('proves exactly the leaves of a tree, whatever its size', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 70 }), fc.nat(), (leaves, choice) => {
        const tree = createHashTree(leaves, sha256)
        for (let index = 0; index < leaves; index += 1) tree.leaf(index).set(sha256(Buffer.from(`leaf ${index}`)))
        tree.raisePart(0, leaves)
        const root = tree.finish()
        const index = choice % leaves
        const path = tree.path(index)
        expect(path).toHaveLength(pathLength(leaves, index))
        const leaf = tree.leaf(index)
        expect(isUnderRoot(sha256, { root, leaves }, index, leaf, path)).toBe(true)
        expect(isUnderRoot(sha256, { root, leaves }, index, sha256(leaf), path)).toBe(false)
        expect(isUnderRoot(sha256, { root, leaves }, index, leaf, [...path, leaf])).toBe(false)
        if (path.length > 0) expect(isUnderRoot(sha256, { root, leaves }, index, leaf, path.slice(0, -1))).toBe(false)
        if (leaves > 1) expect(isUnderRoot(sha256, { root, leaves }, (index + 1) % leaves, leaf, path)).toBe(false)
      }),
    )
  })

  it('has the same root whether built at once or in parts by several threads', () => {
    const leaves = 2 * PART_LEAVES + 77
    const expected = rootOf(Array.from({ length: leaves }, (_, index) => sha256(Buffer.from(String(index)))))
    const roots = [[leaves], [PART_LEAVES, 2 * PART_LEAVES, leaves]].map((ends) => {
      const tree = createHashTree(leaves, sha256)
      for (let index = 0; index < leaves; index += 1) tree.leaf(index).set(sha256(Buffer.from(String(index))))
      for (const [index, end] of ends.entries()) tree.raisePart(ends[index - 1] ?? 0, end)
      return hex(tree.finish())
    })
    expect(roots).toEqual([hex(expected), hex(expected)])
  })

  it('builds only the parents above a part', () => {
    const nodes = new Uint8Array(treeBytes(2 * PART_LEAVES))
    createHashTree(2 * PART_LEAVES, sha256, nodes).raisePart(0, PART_LEAVES)
    const parents = nodes.subarray(2 * PART_LEAVES * HASH_BYTES, 3 * PART_LEAVES * HASH_BYTES)
    const isZero = (byte: number) => byte === 0
    expect(parents.subarray(0, parents.length / 2).some(isZero)).toBe(true)
    expect(parents.subarray(parents.length / 2).every(isZero)).toBe(true)
  })

  it('does not change a returned root or path when it is rebuilt', () => {
    const tree = createHashTree(2, sha256)
    tree.raisePart(0, 2)
    const [root, path] = [tree.finish(), tree.path(0)]
    const before = [root, ...path].map(hex)
    tree.leaf(1).fill(1)
    tree.raisePart(0, 2)
    expect([root, ...path].map(hex)).toEqual(before)
    expect(hex(tree.finish())).not.toBe(before[0])
  })
})

describe('matrix product', () => {
  it('is exact modulo the prime, even for the largest values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 65_536 }), fc.integer({ min: 0, max: PRIME - 1 })), {
          ...{ minLength: 16, maxLength: 16 },
        }),
        (terms) => {
          const target = new Uint32Array(ROW_WORDS)
          const rows = terms.map(([, value]) => new Uint32Array(ROW_WORDS).fill(value))
          combine(
            terms.map(([coefficient]) => coefficient),
            (place) => ({ words: rows[place] as Uint32Array, at: 0 }),
            target,
          )
          const sum = terms.reduce((total, [coefficient, value]) => total + BigInt(coefficient) * BigInt(value), 0n)
          expect(BigInt(target[7] as number)).toBe(sum % BigInt(PRIME))
        },
      ),
    )
    const greatest = new Uint32Array(ROW_WORDS).fill(PRIME - 1)
    const target = new Uint32Array(ROW_WORDS)
    combine(Array(16).fill(65_536), () => ({ words: greatest, at: 0 }), target)
    expect(BigInt(target[0] as number)).toBe((16n * 65_536n * BigInt(PRIME - 1)) % BigInt(PRIME))
  })

  it('is 0, not the prime, where the sum equals the prime', () => {
    const target = new Uint32Array(ROW_WORDS)
    const rows = [PRIME - 1, 1, ...Array<number>(14).fill(0)].map((value) => new Uint32Array(ROW_WORDS).fill(value))
    combine(Array(16).fill(1), (place) => ({ words: rows[place] as Uint32Array, at: 0 }), target)
    expect(new Set(target)).toEqual(new Set([0]))
  })

  it('fills exactly the rows of its part', () => {
    const memory = createRowMemory(8)
    fillRows(memory, { seed: FIRST, round: 0, rowsPerRound: 4, from: 1, to: 3 })
    fillRows(memory, { seed: FIRST, round: 1, rowsPerRound: 4, from: 0, to: 2 })
    const filled = Array.from({ length: 8 }, (_, row) => rowOf(memory, row).some((word) => word > 0))
    expect(filled).toEqual([false, true, true, false, true, true, false, false])
  })

  it('stores its rows in chunks of 256 MiB', () => {
    const perChunk = 2 ** 18
    const memory = createRowMemory(2 * perChunk + 3)
    expect(memory.map(({ byteLength }) => byteLength / ROW_BYTES)).toEqual([perChunk, perChunk, 3])
    rowOf(memory, perChunk + 2).fill(7)
    expect(memory[1]?.subarray(2 * ROW_WORDS, 3 * ROW_WORDS)).toEqual(new Uint32Array(ROW_WORDS).fill(7))
  })

  it('gives these rows, parents and roots on every machine', async () => {
    const row = new Uint32Array(ROW_WORDS)
    baseRow(FIRST, 3, row)
    const { rows, coefficients } = parentsOf(FIRST, 5, 1000)
    const made = await makeRows(FIRST, 2)
    expect({
      seed: hex(FIRST),
      row: [...row.subarray(0, 3)],
      parents: rows.slice(0, 4),
      coefficients: coefficients.slice(0, 4),
      roots: [made.roots[0], made.roots[63]].map((root) => hex(root as Uint8Array).slice(0, 16)),
      walk: hex(walkRows(sha256, made, SALT, 16).root).slice(0, 16),
    }).toMatchInlineSnapshot(`
      {
        "coefficients": [
          28236,
          35480,
          22889,
          5477,
        ],
        "parents": [
          738,
          755,
          50,
          661,
        ],
        "roots": [
          "04a1b92284ddee7f",
          "8675783ab0958e36",
        ],
        "row": [
          744022287,
          541784899,
          1547705297,
        ],
        "seed": "9f231b046050988eb50e924756d8bcf4e5d1e18b238092ba27b462fe98eae005",
        "walk": "51acab94a5a22393",
      }
    `)
  })
})

describe('a proof', () => {
  let honest: Awaited<ReturnType<typeof makeRows>>
  beforeAll(async () => {
    honest = await makeRows(FIRST, ROWS_PER_ROUND)
  })
  const walked = (rows: Rows) => walkRows(sha256, rows, SALT, STEPS)
  const check = (rows: Rows, { first = FIRST, start = SALT, salt = LATER } = {}) => {
    const { root, tree } = walked(rows)
    return [
      checkRows(sha256, rows, first, salt, openRows(sha256, rows, FIRST, LATER)),
      checkWalk(sha256, rows, { root, steps: STEPS, start }, salt, openWalk(sha256, rows, tree, STEPS, LATER)),
    ]
  }

  it('is accepted with all rows present, and has at most the announced size', () => {
    expect(check(honest)).toEqual([undefined, undefined])
    const { tree } = walked(honest)
    const bytes = openRows(sha256, honest, FIRST, LATER).length + openWalk(sha256, honest, tree, STEPS, LATER).length
    expect(bytes).toBeLessThanOrEqual(maxProofBytes(ROWS_PER_ROUND, STEPS))
    expect(bytes).toBeGreaterThan(200 * ROW_BYTES)
  })

  it('is announced longer once the states of its walk need another level', () => {
    const growth = [62, 63, 64].map((steps) => maxProofBytes(ROWS_PER_ROUND, steps) - maxProofBytes(ROWS_PER_ROUND, steps - 1))
    expect(growth).toEqual([0, 0, 2 * CHECKED_STEPS * HASH_BYTES])
  })

  it('opens a row of the first round without parents', async () => {
    const small = await makeRows(FIRST, 1)
    const proofs = SALTS.map((salt) => openRows(sha256, small, FIRST, salt))
    expect(SALTS.map((salt, index) => checkRows(sha256, small, FIRST, salt, proofs[index] as Uint8Array))).toEqual(
      SALTS.map(() => undefined),
    )
    const opened = proofs.map(({ length }) => length / ROW_BYTES)
    expect(new Set(opened)).toEqual(new Set([CHECKED_ROWS * (PARENTS + 1), CHECKED_ROWS * (PARENTS + 1) - PARENTS]))
  })

  it.each([
    ['the first round', (round: number) => round === 0],
    ['a later round', (round: number) => round > 0],
  ])('is refused where rows of %s are wrong in a single word', async (_, isWrong) => {
    const cheat = await makeRows(FIRST, 1, (row, round) => {
      if (isWrong(round)) row[ROW_WORDS - 1] = ((row[ROW_WORDS - 1] as number) + 1) % PRIME
    })
    const problems = SALTS.map((salt) => checkRows(sha256, cheat, FIRST, salt, openRows(sha256, cheat, FIRST, salt)))
    expect(problems).toContain('product')
  })

  it.each([
    [PRIME - 1, undefined],
    [PRIME, 'product'],
    [2 ** 32 - 1, 'product'],
  ])('over rows combined from the word %i has the problem %j', async (word, problem) => {
    const cheat = await makeRows(FIRST, 2, (row, round) => {
      if (round === 0) row[5] = word
    })
    // A choice of rows without those of the first round, which are refused whatever they hold.
    expect(checkRows(sha256, cheat, FIRST, LATER, openRows(sha256, cheat, FIRST, LATER))).toBe(problem)
  })

  it.each([
    ['another node', { nodeId: 2n }],
    ['another provider', { provider: `0x${'cd'.repeat(20)}` }],
    ['another chain', { chainId: 1 }],
    ['an old beacon', { beacon: `0x${'bd'.repeat(32)}` }],
    ['the disk’s rows for the memory’s', { use: 'disk' }],
  ])('of %s is refused', (_, other) => {
    expect(check(honest, { first: firstSeed(sha256, { ...FACTS, ...other }) })[0]).not.toBeUndefined()
  })

  it('of another walk or another choice of rows is refused', () => {
    expect(check(honest, { start: LATER })[1]).toBe('walk')
    expect(check(honest, { salt: SALT })).toEqual([expect.any(String), expect.any(String)])
  })

  it('is refused with any byte changed, removed or appended', () => {
    const { root, tree } = walked(honest)
    const proofs = [openRows(sha256, honest, FIRST, LATER), openWalk(sha256, honest, tree, STEPS, LATER)]
    const outcome = (index: number, proof: Uint8Array) =>
      index === 0
        ? checkRows(sha256, honest, FIRST, LATER, proof)
        : checkWalk(sha256, honest, { root, steps: STEPS, start: SALT }, LATER, proof)
    for (const [index, proof] of proofs.entries()) {
      for (const length of [0, HASH_BYTES, ROW_BYTES, proof.length - 1])
        expect(outcome(index, proof.subarray(0, length))).toBe('length')
      expect(outcome(index, Buffer.concat([proof, Buffer.from([0])]))).toBe('length')
      fc.assert(
        fc.property(fc.nat({ max: proof.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
          const altered = Uint8Array.from(proof)
          altered[at] = (altered[at] as number) ^ change
          expect(outcome(index, altered)).not.toBeUndefined()
        }),
        { numRuns: 60 },
      )
    }
  })

  it('is refused over rows that are committed to but are not the product', async () => {
    // Half of each later round is zeros, which take no memory.
    const cheat = await makeCheaply(FIRST, (round, index) => round > 0 && index % 2 === 0)
    expect(check(cheat)[0]).toBe('product')
    // Rows computed before the beacon, from a seed of the prover's choice.
    const ahead = await makeRows(firstSeed(sha256, { ...FACTS, beacon: '0x' }), ROWS_PER_ROUND)
    expect(checkRows(sha256, ahead, FIRST, LATER, openRows(sha256, ahead, FIRST, LATER))).toBe('product')
  })

  it('with two rows swapped is refused', () => {
    const swapped: Rows = { ...honest, read: (row) => honest.read(row ^ 1) }
    expect(check(swapped)).toEqual(['path', 'path'])
  })

  it('of a walk that skips missing rows is refused', () => {
    const [half, nothing] = [rowCount(honest) / 2, new Uint8Array(ROW_BYTES)]
    const { root, tree } = walked({ ...honest, read: (row) => (row < half ? honest.read(row) : nothing) })
    const proof = openWalk(sha256, honest, tree, STEPS, LATER)
    expect(checkWalk(sha256, honest, { root, steps: STEPS, start: SALT }, LATER, proof)).toBe('walk')
  })
})

describe('a prover with too little memory', () => {
  /**
   * Cost of a step of the walk, in rows read, if the last `share` of all rows was discarded: no other row needs those. A row costs as much
   * as reading its parents, and recomputing the missing ones; counting these twice is a lower bound, as the prover has nowhere to cache
   * them.
   */
  function readsPerStep(rowsPerRound: number, share: number): number {
    const kept = Math.floor(rowCount({ rowsPerRound }) * (1 - share))
    const seeds = Array.from({ length: ROUNDS }, (_, round) => sha256(Buffer.from(`round ${round}`)))
    const costs = new Float64Array(rowCount({ rowsPerRound }))
    for (let row = 0; row < costs.length; row += 1) {
      const round = Math.floor(row / rowsPerRound)
      if (row < kept) costs[row] = 1
      else {
        const { rows } = parentsOf(seeds[round] as Uint8Array, row % rowsPerRound, round * rowsPerRound)
        costs[row] = rows.reduce((sum, parent) => sum + (costs[parent] as number), 0)
      }
    }
    let [state, total] = [SALT, 0]
    for (let step = 0; step < 2_000; step += 1) {
      total += costs[numberBelow(costs.length, state)] as number
      state = sha256(state)
    }
    return total / 2_000
  }

  it('is slowed down more than any faster machine could make up for', () => {
    expect(readsPerStep(512, 0)).toBe(1)
    expect(readsPerStep(512, 0.5)).toBeGreaterThan(5_000)
    expect(readsPerStep(512, 0.4)).toBeGreaterThan(500)
    expect(readsPerStep(512, 0.3)).toBeGreaterThan(50)
    // So few missing rows are recomputed in time: the reason why the proof covers only nine tenths.
    expect(readsPerStep(512, 0.1)).toBeLessThan(10)
  })
})

/** The root by definition, level by level. */
function rootOf(level: readonly Uint8Array[]): Uint8Array {
  if (level.length === 1) return level[0] as Uint8Array
  const pairs = Array.from({ length: Math.ceil(level.length / 2) }, (_, index) => level.slice(2 * index, 2 * index + 2))
  return rootOf(pairs.map((pair) => (pair.length === 2 ? sha256(Buffer.concat(pair)) : (pair[0] as Uint8Array))))
}

/** A prover that stores zeros where `isLeftOut`, and continues with the resulting roots. */
async function makeCheaply(first: Uint8Array, isLeftOut: (round: number, index: number) => boolean): Promise<Rows> {
  const honest = await makeRows(first, ROWS_PER_ROUND)
  const zero = new Uint8Array(ROW_BYTES)
  const read = (row: number) => (isLeftOut(Math.floor(row / ROWS_PER_ROUND), row % ROWS_PER_ROUND) ? zero : honest.read(row))
  const trees = honest.roots.map((_, round) => {
    const tree = createHashTree(ROWS_PER_ROUND, sha256)
    for (let index = 0; index < ROWS_PER_ROUND; index += 1) tree.leaf(index).set(sha256(read(round * ROWS_PER_ROUND + index)))
    tree.raisePart(0, ROWS_PER_ROUND)
    return tree
  })
  const roots = trees.map((tree) => tree.finish())
  expect(seedsOf(sha256, first, roots)).toHaveLength(ROUNDS)
  return { rowsPerRound: ROWS_PER_ROUND, roots, trees, read }
}
