import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'rules',
    include: ['src/**/*.test.ts'],
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
