import { defineConfig } from 'vitest/config'

export default defineConfig({
  // Each file would load the chain's library anew.
  test: { name: 'sdk', include: ['src/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 120_000, isolate: false },
})
