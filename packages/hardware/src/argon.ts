import { type Hash, hashAll } from './Hash.ts'

/** The input of Argon2id at each core of a node; a monitor recomputes one of them. `seed` is the memory's first seed. */
export const argonInput = (hash: Hash, seed: Uint8Array, core: number): { message: Uint8Array; nonce: Uint8Array } => ({
  message: seed,
  nonce: hashAll(hash, seed, new TextEncoder().encode(`core ${core}`)).subarray(0, 16),
})

/** The other settings of Argon2id: one pass, one lane. */
export const ARGON_SETTINGS = { parallelism: 1, tagLength: 32, passes: 1 } as const
