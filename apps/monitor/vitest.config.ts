import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Each file would load the chain's library anew.
  test: {
    name: 'monitor',
    include: ['src/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
  },
})
