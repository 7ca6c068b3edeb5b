import { HASH_BYTES, type Hash, isEqual } from './Hash.ts'

/** Levels that a thread can compute alone from its part of the leaves, which begins at a multiple of `PART_LEAVES`. */
const PART_LEVELS = 10
export const PART_LEAVES = 2 ** PART_LEVELS

/** Sizes of the levels of a tree, leaves first. A last node without a sibling is its own parent. */
function levelsOf(leaves: number): number[] {
  const levels = [leaves]
  for (let size = leaves; size > 1; ) {
    size = Math.ceil(size / 2)
    levels.push(size)
  }
  return levels
}

/** Bytes that a tree with this many leaves takes. */
export const treeBytes = (leaves: number): number => levelsOf(leaves).reduce((sum, size) => sum + size, 0) * HASH_BYTES

/** Number of hashes on the path from a leaf to the root. */
export function pathLength(leaves: number, index: number): number {
  let [length, place] = [0, index]
  for (const size of levelsOf(leaves)) {
    if ((place ^ 1) < size) length += 1
    place >>>= 1
  }
  return length
}

export type HashTree = ReturnType<typeof createHashTree>

/** A hash tree in one buffer, which threads can share. Write leaves with `leaf`, then raise them. */
export function createHashTree(leaves: number, hash: Hash, nodes: Uint8Array = new Uint8Array(treeBytes(leaves))) {
  const levels = levelsOf(leaves)
  const starts = levels.map((_, level) => levels.slice(0, level).reduce((sum, size) => sum + size, 0))
  const node = (level: number, place: number): Uint8Array => {
    const at = ((starts[level] as number) + place) * HASH_BYTES
    return nodes.subarray(at, at + HASH_BYTES)
  }
  const pair = new Uint8Array(2 * HASH_BYTES)
  const raiseLevel = (level: number, from: number, to: number): void => {
    const size = levels[level] as number
    for (let place = from; place < to; place += 2) {
      const parent = node(level + 1, place >>> 1)
      if (place + 1 < size) {
        pair.set(node(level, place))
        pair.set(node(level, place + 1), HASH_BYTES)
        parent.set(hash(pair))
      } else parent.set(node(level, place))
    }
  }
  return {
    leaf: (index: number): Uint8Array => node(0, index),
    /** Computes what depends only on the leaves from `from` (inclusive) to `to` (exclusive). */
    raisePart(from: number, to: number): void {
      for (let level = 0; level < Math.min(PART_LEVELS, levels.length - 1); level += 1)
        raiseLevel(level, from >>> level, Math.ceil(to / 2 ** level))
    },
    /** Computes the rest, once all parts are raised. Returns the root. */
    finish(): Uint8Array {
      for (let level = PART_LEVELS; level < levels.length - 1; level += 1) raiseLevel(level, 0, levels[level] as number)
      return node(levels.length - 1, 0).slice()
    },
    path(index: number): Uint8Array[] {
      const path: Uint8Array[] = []
      let place = index
      for (const [level, size] of levels.entries()) {
        if ((place ^ 1) < size) path.push(node(level, place ^ 1).slice())
        place >>>= 1
      }
      return path
    },
  }
}

/** Whether a leaf is at this index under the root. */
export function isUnderRoot(
  hash: Hash,
  tree: { root: Uint8Array; leaves: number },
  index: number,
  leaf: Uint8Array,
  path: readonly Uint8Array[],
): boolean {
  const pair = new Uint8Array(2 * HASH_BYTES)
  let [place, next, current] = [index, 0, leaf]
  for (const size of levelsOf(tree.leaves)) {
    const neighbour = path[next]
    if ((place ^ 1) < size) {
      if (!neighbour) return false
      next += 1
      pair.set(place % 2 === 0 ? current : neighbour)
      pair.set(place % 2 === 0 ? neighbour : current, HASH_BYTES)
      current = hash(pair)
    }
    place >>>= 1
  }
  return next === path.length && isEqual(current, tree.root)
}
