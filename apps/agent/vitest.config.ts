import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'agent',
    include: ['src/**/*.test.ts'],
    globalSetup: 'src/testing/makeImages.ts',
    testTimeout: 240_000,
    hookTimeout: 300_000,
    fileParallelism: false,
    expect: { poll: { timeout: 20_000 } },
  },
})
