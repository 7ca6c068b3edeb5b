import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Each file would load the chain's library anew.
  test: {
    name: 'contracts',
    include: ['test-ts/**/*.test.ts'],
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
  },
})
