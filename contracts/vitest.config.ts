import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'contracts', include: ['test-ts/**/*.test.ts'], testTimeout: 600_000, hookTimeout: 120_000 },
})
