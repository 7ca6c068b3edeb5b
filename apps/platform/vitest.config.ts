import { defineConfig } from 'vitest/config'

export default defineConfig({
  // It builds types with the compiler's JavaScript API, which typescript 7 no longer has.
  resolve: { alias: { typescript: 'typescript-5' } },
  test: {
    name: 'platform',
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // The full counts of a deep run take minutes each.
    testTimeout: process.env.RACKFAIR_DEEP === '1' ? 900_000 : 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    maxWorkers: 2,
    // Each file would load the platform and its libraries anew.
    isolate: false,
    server: { deps: { inline: ['openapi-typescript'] } },
  },
})
