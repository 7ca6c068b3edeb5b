import { type Hash, hashAll } from './Hash.ts'

/** What Argon2id gets at each core of a node; a monitor computes one of them again. `seed` is the memory's first seed. */
export const argonInput = (hash: Hash, seed: Uint8Array, core: number): { message: Uint8Array; nonce: Uint8Array } => ({
  message: seed,
  nonce: hashAll(hash, seed, new TextEncoder().encode(`core ${core}`)).subarray(0, 16),
})

/** The other settings of Argon2id: once over its memory, at one core. */
export const ARGON_SETTINGS = { parallelism: 1, tagLength: 32, passes: 1 } as const
