import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'http',
    include: ['src/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    isolate: false,
  },
})
