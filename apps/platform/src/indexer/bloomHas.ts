import { type Hex, hexToBytes, keccak256 } from 'viem'

const bitsOf = new Map<string, number[]>()

/** Whether a block's bloom filter may contain a log of this address: no false negatives. */
export function bloomHas(bloom: Hex, address: string): boolean {
  const bits = bitsOf.get(address) ?? addressBits(address)
  bitsOf.set(address, bits)
  // The filter is 256 bytes, with the lowest bit last.
  return bits.every((bit) => ((Number.parseInt(bloom.charAt(513 - (bit >> 2)), 16) || 0) >> (bit & 3)) % 2 === 1)
}

function addressBits(address: string): number[] {
  const hash = hexToBytes(keccak256(address as Hex))
  return [0, 2, 4].map((at) => (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047)
}
