import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Each file would load the chain's library anew.
  test: {
    name: 'cli',
    include: ['src/**/*.test.ts'],
    testTimeout: 300_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
  },
})
