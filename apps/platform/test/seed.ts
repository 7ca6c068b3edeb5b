/** A reproducible source of random numbers; its seed is printed, and set by RACKFAIR_SEED. */
export function seeded(): { seed: number; below(limit: number): number } {
  const seed = Number(process.env.RACKFAIR_SEED ?? Math.floor(Math.random() * 2 ** 31))
  console.info(`seed ${seed}`)
  let state = seed >>> 0
  return {
    seed,
    below(limit) {
      state = (state + 0x6d2b79f5) >>> 0
      let mixed = Math.imul(state ^ (state >>> 15), state | 1)
      mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
      return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
    },
  }
}

export const DEEP = process.env.RACKFAIR_DEEP === '1'
