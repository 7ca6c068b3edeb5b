import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { numberBelow } from './Hash.ts'
import { createHashTree, isUnderRoot, PART_LEAVES, pathLength } from './hashTree.ts'
import { baseRow, combine, PRIME, parentsOf, ROUNDS, ROW_BYTES, ROW_WORDS } from './product.ts'
import {
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
const ROWS_PER_ROUND = 40
const STEPS = 600

describe('the tree of hashes', () => {
  it('proves every leaf of a tree of any size, and no other', () => {
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
        if (leaves > 1) expect(isUnderRoot(sha256, { root, leaves }, (index + 1) % leaves, leaf, path)).toBe(false)
      }),
    )
  })

  it('has the same root whether it is raised at once or in the parts of several threads', () => {
    const leaves = 2 * PART_LEAVES + 77
    const roots = [[leaves], [PART_LEAVES, 2 * PART_LEAVES, leaves]].map((ends) => {
      const tree = createHashTree(leaves, sha256)
      for (let index = 0; index < leaves; index += 1) tree.leaf(index).set(sha256(Buffer.from(String(index))))
      for (const [index, end] of ends.entries()) tree.raisePart(ends[index - 1] ?? 0, end)
      return hex(tree.finish())
    })
    expect(roots[0]).toBe(roots[1])
  })
})

describe('the product', () => {
  it('computes exactly modulo the prime, also with the greatest numbers', () => {
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

  it('of a prover with all rows holds, and is no longer than announced', () => {
    expect(check(honest)).toEqual([undefined, undefined])
    const { tree } = walked(honest)
    const bytes = openRows(sha256, honest, FIRST, LATER).length + openWalk(sha256, honest, tree, STEPS, LATER).length
    expect(bytes).toBeLessThanOrEqual(maxProofBytes(ROWS_PER_ROUND, STEPS))
    expect(bytes).toBeGreaterThan(200 * ROW_BYTES)
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

  it('that answers another walk or another choice of rows is refused', () => {
    expect(check(honest, { start: LATER })[1]).toBe('walk')
    expect(check(honest, { salt: SALT })).toEqual([expect.any(String), expect.any(String)])
  })

  it('with any byte changed, cut off or added is refused', () => {
    const { root, tree } = walked(honest)
    const proofs = [openRows(sha256, honest, FIRST, LATER), openWalk(sha256, honest, tree, STEPS, LATER)]
    const outcome = (index: number, proof: Uint8Array) =>
      index === 0
        ? checkRows(sha256, honest, FIRST, LATER, proof)
        : checkWalk(sha256, honest, { root, steps: STEPS, start: SALT }, LATER, proof)
    for (const [index, proof] of proofs.entries()) {
      expect(outcome(index, proof.subarray(0, -1))).toBe('length')
      expect(outcome(index, Buffer.concat([proof, Buffer.from([0])]))).toBe('length')
      expect(outcome(index, new Uint8Array())).toBe('length')
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

  it('over rows that are no product is refused, though they lie under the roots', async () => {
    // Half of each later round is zeros, which take no memory.
    const cheat = await makeCheaply(FIRST, (round, index) => round > 0 && index % 2 === 0)
    expect(check(cheat)[0]).toBe('product')
    // Rows made ahead of the beacon, from a seed of the prover's own.
    const ahead = await makeRows(firstSeed(sha256, { ...FACTS, beacon: '0x' }), ROWS_PER_ROUND)
    expect(checkRows(sha256, ahead, FIRST, LATER, openRows(sha256, ahead, FIRST, LATER))).toBe('product')
  })

  it('with two rows swapped is refused', () => {
    const swapped: Rows = { ...honest, read: (row) => honest.read(row ^ 1) }
    expect(check(swapped)).toEqual(['path', 'path'])
  })

  it('of a walk that leaves out what is not there is refused', () => {
    const [half, nothing] = [rowCount(honest) / 2, new Uint8Array(ROW_BYTES)]
    const { root, tree } = walked({ ...honest, read: (row) => (row < half ? honest.read(row) : nothing) })
    const proof = openWalk(sha256, honest, tree, STEPS, LATER)
    expect(checkWalk(sha256, honest, { root, steps: STEPS, start: SALT }, LATER, proof)).toBe('walk')
  })
})

describe('a prover with too little memory', () => {
  /**
   * What a step of the walk costs, in rows read, where the last rows up to a share of all were let go: nothing else needs those. The cost of making a row is that of
   * reading what it is made of, and of making what of that is missing; counting it twice is a prover's least, as it has nowhere to keep it.
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

  it('walks so much slower that no faster machine makes up for it', () => {
    expect(readsPerStep(512, 0)).toBe(1)
    expect(readsPerStep(512, 0.5)).toBeGreaterThan(5_000)
    expect(readsPerStep(512, 0.4)).toBeGreaterThan(500)
    expect(readsPerStep(512, 0.3)).toBeGreaterThan(50)
    // So little missing is made again in time: this is what nine tenths are not proof of.
    expect(readsPerStep(512, 0.1)).toBeLessThan(10)
  })
})

/** A prover that puts zeros where `isLeftOut`, and goes on with the roots that follow. */
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
