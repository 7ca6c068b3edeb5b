import { join } from 'node:path'
import type { Plugin, ResolveModulePreloadDependenciesFn } from 'vite'

/** Vite's module with which the build wraps each `import()`, and its exported name. */
const HELPER = '\0vite/preload-helper.js'
const NAME = '__vitePreload'
const OURS = join(import.meta.dirname, '../src/platform/loading/importArrived.ts')

/** Fetches lazy code before importing it, so that a browser does not cache the failure of a short network error. */
export function importArrived(): Plugin {
  return {
    name: 'import-arrived',
    enforce: 'pre',
    apply: 'build',
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: (id) => (id === HELPER ? `export { importArrived as ${NAME} } from ${JSON.stringify(OURS)}` : undefined),
    },
  }
}

/** Includes an imported file that Vite leaves out because it imports nothing itself. */
export const withItself: ResolveModulePreloadDependenciesFn = (file, dependencies, { hostType }) =>
  hostType === 'js' ? [...new Set([file, ...dependencies])] : dependencies
