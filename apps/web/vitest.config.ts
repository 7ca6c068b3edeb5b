import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { preactForReact } from './preactForReact.ts'

/** Its main file asks for React past the aliases. */
const testingLibrary = fileURLToPath(
  new URL('node_modules/@testing-library/react/dist/@testing-library/react.esm.js', import.meta.url),
)

export default defineConfig({
  resolve: { alias: [...preactForReact, { find: /^@testing-library\/react$/, replacement: testingLibrary }] },
  oxc: { jsx: { runtime: 'automatic' } },
  test: {
    name: 'web',
    include: ['src/**/*.test.{ts,tsx}'],
    environment: 'happy-dom',
    testTimeout: 30_000,
    server: {
      deps: {
        inline: [/@testing-library\/react/, /@tanstack\/react/, /wouter/, /radix-ui/, /lucide-react/, /use-sync-external-store/],
      },
    },
  },
})
