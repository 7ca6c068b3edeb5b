import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Otherwise each file would load the chain library again.
  test: {
    name: 'sdk',
    include: ['src/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
  },
})
