import { concat, type Hex, keccak256 } from 'viem'
import { atOnce, type Steps } from './steps.ts'

export interface MerkleTree {
  root: Hex
  /** The siblings from the leaf at `index` up to the root. */
  proof: (index: number) => Hex[]
}

/**
 * A Merkle tree over leaves in the given order, with pairs hashed in ascending order and an unpaired node carried up unchanged, as
 * OpenZeppelin's MerkleProof verifies it. (OpenZeppelin's own library brings 15 packages, some under the MPL.)
 * @throws Error for an empty list.
 * @example const { root, proof } = merkleTree([leaf, other]) // proof(0) is [other]
 */
export const merkleTree = (leaves: readonly Hex[]): MerkleTree => atOnce(merkleSteps(leaves))

/** The same tree, one hash per step. */
export function* merkleSteps(leaves: readonly Hex[]): Steps<MerkleTree> {
  const layers: (readonly Hex[])[] = [leaves]
  let layer = leaves
  while (layer.length > 1) {
    const above: Hex[] = []
    for (let index = 0; index < layer.length; index += 2) {
      above.push(parentOf(layer[index] as Hex, layer[index + 1]))
      yield
    }
    layers.push(above)
    layer = above
  }
  const [root] = layer
  if (root === undefined) throw new Error('a tree needs a leaf')
  return { root, proof: (index) => layers.flatMap((layer, height) => layer[(index >> height) ^ 1] ?? []) }
}

/** The hash of two nodes in ascending order, or the only one. */
export function parentOf(left: Hex, right: Hex | undefined): Hex {
  if (right === undefined) return left
  return keccak256(left < right ? concat([left, right]) : concat([right, left]))
}
