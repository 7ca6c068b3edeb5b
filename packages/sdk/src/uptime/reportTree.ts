import { concat, type Hex, keccak256, zeroHash } from 'viem'
import type { Steps } from './steps.ts'

/** A leaf and its key, both 32 bytes. */
export interface Entry {
  key: Hex
  leaf: Hex
}

export interface ReportTree {
  root: Hex
  /** The siblings from the leaf of the entry at `index` up to the root. */
  proof: (index: number) => Hex[]
}

interface Node {
  hash: Hex
  children?: readonly [Node, Node]
}

const EMPTY: Node = { hash: zeroHash }

/**
 * The tree of the contract library ReportTree, one node per step: the bits of a key, from its highest, say at every node whether to go
 * left (0) or right (1), and its leaf stands where no other leaf shares the way. An inner node is the hash of its children, a child
 * without leaves is zero.
 * @throws Error for no entries, and for two with one key: each has one place.
 */
export function* treeSteps(entries: readonly Entry[]): Steps<ReportTree> {
  if (entries.length === 0) throw new Error('a tree needs a leaf')
  const sorted = [...entries].sort((a, b) => (a.key < b.key ? -1 : 1))
  yield
  const top = yield* nodeSteps(sorted, 0, sorted.length, 0)
  const proof = (index: number) => {
    const { key } = entries[index] as Entry
    const siblings: Hex[] = []
    for (let node = top; node.children !== undefined; ) {
      const side = bitOf(key, siblings.length)
      siblings.push(node.children[side === 0 ? 1 : 0].hash)
      node = node.children[side]
    }
    return siblings.reverse()
  }
  return { root: top.hash, proof }
}

/** The node over `sorted[from]` to `sorted[until - 1]`, which share the first `depth` bits of their keys. */
function* nodeSteps(sorted: readonly Entry[], from: number, until: number, depth: number): Steps<Node> {
  if (from === until) return EMPTY
  const first = sorted[from] as Entry
  if (until - from === 1) return { hash: first.leaf }
  if (sorted[until - 1]?.key === first.key) throw new Error('two reports have one place in a tree')
  let [low, high] = [from, until]
  while (low < high) {
    const middle = (low + high) >> 1
    if (bitOf((sorted[middle] as Entry).key, depth) === 0) low = middle + 1
    else high = middle
  }
  const left = yield* nodeSteps(sorted, from, low, depth + 1)
  const right = yield* nodeSteps(sorted, low, until, depth + 1)
  yield
  return { hash: keccak256(concat([left.hash, right.hash])), children: [left, right] }
}

/**
 * The root reached from the leaf of a key by the siblings above it, as the contract computes it. More siblings than a key has bits lead
 * nowhere: the result is zero.
 */
export function rootFrom({ key, leaf }: Entry, siblings: readonly Hex[]): Hex {
  if (siblings.length > 256) return zeroHash
  return siblings.reduce(
    (hash, sibling, index) =>
      keccak256(bitOf(key, siblings.length - 1 - index) === 0 ? concat([hash, sibling]) : concat([sibling, hash])),
    leaf,
  )
}

/** The index of the entry on the way to a target: the way turns only where no entry stands on the target's side. */
export function drawnEntry(keys: readonly Hex[], target: Hex): number {
  let left = keys.map((_, index) => index)
  for (let depth = 0; left.length > 1; depth += 1) {
    const same = left.filter((index) => bitOf(keys[index] as Hex, depth) === bitOf(target, depth))
    if (same.length > 0) left = same
  }
  return left[0] ?? -1
}

/** Bit `depth` of a key, counted from the highest. */
function bitOf(key: Hex, depth: number): 0 | 1 {
  const digit = Number.parseInt(key[2 + (depth >> 2)] as string, 16)
  return ((digit >> (3 - (depth & 3))) & 1) as 0 | 1
}
