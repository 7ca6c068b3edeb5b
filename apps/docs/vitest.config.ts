import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Each file would load the libraries of chain and browser anew.
  test: {
    name: 'docs',
    include: ['src/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
  },
})
