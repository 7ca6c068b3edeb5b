import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'edge',
    include: ['src/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
