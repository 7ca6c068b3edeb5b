import { concat, type Hex, keccak256 } from 'viem'

/**
 * A Merkle tree over leaves in the order given, pairs hashed in ascending order, a node without a neighbour taken up as it is: what
 * OpenZeppelin's MerkleProof verifies. (Their own library brings 15 packages, some under the MPL.)
 * @throws Error without a leaf.
 * @example const { root, proof } = merkleTree([leaf, other]) // proof(0) is [other]
 */
export function merkleTree(leaves: readonly Hex[]) {
  const layers: (readonly Hex[])[] = [leaves]
  for (let layer = leaves; layer.length > 1; ) {
    const above: Hex[] = []
    for (let index = 0; index < layer.length; index += 2) above.push(parentOf(layer[index] as Hex, layer[index + 1]))
    layers.push(above)
    layer = above
  }
  const root = layers.at(-1)?.[0]
  if (root === undefined) throw new Error('a tree needs a leaf')
  return {
    root,
    /** The neighbours on the way from the leaf at `index` to the root. */
    proof: (index: number): Hex[] => layers.flatMap((layer, height) => layer[(index >> height) ^ 1] ?? []),
  }
}

function parentOf(left: Hex, right: Hex | undefined): Hex {
  if (right === undefined) return left
  return keccak256(left < right ? concat([left, right]) : concat([right, left]))
}
