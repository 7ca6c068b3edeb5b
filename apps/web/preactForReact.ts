import { fileURLToPath } from 'node:url'

const at = (name: string) => fileURLToPath(import.meta.resolve(name))

/**
 * The app is written against React and runs on Preact, also inside of the libraries: react-dom alone would take three quarters
 * of what a public page may load. Without these lines the same sources run on React.
 */
export const preactForReact = [
  { find: /^react$/, replacement: at('preact/compat') },
  { find: /^react-dom$/, replacement: at('preact/compat') },
  { find: /^react-dom\/client$/, replacement: at('preact/compat/client') },
  { find: /^react-dom\/test-utils$/, replacement: at('preact/test-utils') },
  { find: /^use-sync-external-store\/shim(\/index\.js)?$/, replacement: at('preact/compat') },
  { find: /^react\/jsx-runtime$/, replacement: at('preact/compat/jsx-runtime') },
  { find: /^react\/jsx-dev-runtime$/, replacement: at('preact/compat/jsx-dev-runtime') },
]
