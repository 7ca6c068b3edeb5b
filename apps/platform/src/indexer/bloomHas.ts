import { type Hex, hexToBytes, keccak256 } from 'viem'

/** Whether a block's bloom filter may hold a log of this address: never a false no. */
export function bloomHas(bloom: Hex, address: string): boolean {
  const filter = hexToBytes(bloom)
  const hash = hexToBytes(keccak256(address as Hex))
  return [0, 2, 4].every((at) => {
    const bit = (((hash[at] ?? 0) << 8) | (hash[at + 1] ?? 0)) & 2047
    return ((filter[255 - (bit >> 3)] ?? 0) >> (bit & 7)) % 2 === 1
  })
}
