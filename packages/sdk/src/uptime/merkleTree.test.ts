import { concat, type Hex, keccak256, toHex } from 'viem'
import { expect, test } from 'vitest'
import { merkleTree } from './merkleTree.ts'

/** Like OpenZeppelin's MerkleProof.processProof. */
const processProof = (leaf: Hex, proof: readonly Hex[]) =>
  proof.reduce((hash, next) => keccak256(hash < next ? concat([hash, next]) : concat([next, hash])), leaf)

test.each([1, 2, 3, 4, 5, 7, 8, 100])('proves each of %i leaves against the root, and no other leaf', (count) => {
  const leaves = Array.from({ length: count }, (_, index) => keccak256(toHex(index)))
  const { root, proof } = merkleTree(leaves)
  for (const [index, leaf] of leaves.entries()) {
    expect(processProof(leaf, proof(index))).toBe(root)
    expect(processProof(keccak256(leaf), proof(index))).not.toBe(root)
    expect(proof(index).length).toBeLessThanOrEqual(Math.ceil(Math.log2(count)))
  }
})

test('refuses an empty tree', () => {
  expect(() => merkleTree([])).toThrow('needs a leaf')
})
