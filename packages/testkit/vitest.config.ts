import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'testkit',
    include: ['src/**/*.test.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
